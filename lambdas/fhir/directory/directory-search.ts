/** Searches a LOB's provider directory in one of its publications (R4, http.html#search; Plan-Net 1.1.0). */
import type { DirectoryType } from '../../catalog/fhir/directory-resources.ts';
import type { Sha256 } from '../../kernel/digests.ts';
import { type BundledResource, searchBundle, searchUrl } from '../search/bundle.ts';
import { formatCursor, parseCursor } from '../search/cursor.ts';
import { invalid, type Parameter, printable, type SearchIssue } from '../search/search-issue.ts';
import { formatOf } from '../search/search-request.ts';
import { subset } from '../search/subset.ts';
import {
  type DirectoryQuery,
  type DirectorySort,
  hasDirectoryParameter,
  parseDirectoryQuery,
} from './directory-query.ts';
import { mostIncluded, readIncluded } from './included-resources.ts';
import { unknownOf } from './parse-search-condition.ts';
import { distance, matchesOf } from './plan.ts';
import type { DirectoryPublication, DirectoryPublications } from './publication.ts';
import { type IndexedRow, indexOf, type PublicationIndex } from './publication-index.ts';
import { elementNumber } from './publication-schema.ts';
import { sql } from './sql.ts';

export interface DirectorySearchServices {
  readonly publications: DirectoryPublications;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface DirectorySearchRequest {
  readonly type: DirectoryType;
  /** Decoded, of query and form, in their order. */
  readonly parameters: readonly Parameter[];
  /** `Prefer: handling=strict`. */
  readonly strict: boolean;
  /** FHIR base URL, without a slash at its end. */
  readonly base: string;
}

export type DirectorySearchAnswer =
  | { readonly kind: 'bundle'; readonly body: string; readonly publication: string }
  /** 400 with one issue each. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] }
  /** The cursor's publication is no longer kept: 410. */
  | { readonly kind: 'publication_gone' };

/** Bytes of resources on one page: Lambda takes 6 MB, where each quote counts twice. */
const mostBytes = 4_000_000;
/** Parameters that say how a page is presented: a request may change them at a cursor. */
const pageParameters: readonly string[] = ['_count', '_summary', '_elements', '_total'];

/** @throws PublicationUnavailable where no publication can be opened. */
export async function searchDirectory(
  services: DirectorySearchServices,
  request: DirectorySearchRequest,
): Promise<DirectorySearchAnswer> {
  const { type, base, strict } = request;
  const asked = readPage(services, request);
  if (asked.kind === 'invalid') return asked;
  const { parameters, at, after } = asked;
  const parsed = parseDirectoryQuery(type, parameters, { base, now: at, strict });
  if (parsed.kind === 'invalid') return parsed;
  const publication =
    after === undefined
      ? await services.publications.current()
      : await services.publications.kept(after.publication);
  if (publication === undefined) return { kind: 'publication_gone' };
  const { query } = parsed;
  const index = indexOf(publication);
  const page = query.selection.summary === 'count' ? emptyPage : readMatches(index, type, query, after);
  const included = readIncluded(index, query.includes, page.resources, type);
  const isWhole = after === undefined && page.next === undefined && query.selection.summary !== 'count';
  const total = isWhole ? page.resources.length : query.countsAll ? countOf(index, type, query) : undefined;
  const warnings = [
    ...query.ignored.map((name) => unknownOf(type, name).diagnostics),
    ...(included.isCut
      ? [`At most ${mostIncluded} resources are included on a page; others were left out.`]
      : []),
  ];
  const url = `${base}/${type}`;
  const format = formatOf(request.parameters);
  const count = query.used.filter(([name]) => name === '_count');
  const resources = [
    ...page.resources.map((row) => bundled(row, type, 'match', query)),
    ...included.resources.map((row) => bundled(row, row.type, 'include', query)),
  ];
  const body = searchBundle({
    base,
    self: searchUrl(url, after === undefined ? [...query.used, ...format] : request.parameters),
    ...(page.next !== undefined && {
      next: searchUrl(url, [
        ['_cursor', cursorOf(services, request, publication, query, page.next, at)],
        ...count,
        ...format,
      ]),
    }),
    ...(total !== undefined && { total }),
    resources,
    warnings,
    now: publication.builtAt,
  });
  return { kind: 'bundle', body, publication: publication.id };
}

/** The place after which a page begins. */
interface After {
  readonly publication: string;
  readonly key: number;
  readonly rid: number;
}

function readPage(
  { sha256, now }: DirectorySearchServices,
  { parameters, base, type }: DirectorySearchRequest,
):
  | {
      readonly kind: 'page';
      readonly parameters: readonly Parameter[];
      readonly at: number;
      readonly after?: After;
    }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] } {
  const cursors = parameters.filter(([name, value]) => name === '_cursor' && value !== '');
  const others = parameters.filter(([name]) => name !== '_cursor');
  const [first, ...more] = cursors;
  if (first === undefined) return { kind: 'page', parameters: others, at: now() };
  const cursor = more.length > 0 ? undefined : parseCursor(first[1], owner(base, type), sha256);
  const [publication, sortKey = 0] = cursor?.after.keys ?? [];
  const key = Number(sortKey);
  const rid = Number(cursor?.after.id);
  if (
    cursor === undefined ||
    typeof publication !== 'string' ||
    !Number.isSafeInteger(rid) ||
    Number.isNaN(key)
  ) {
    return refusedPage(
      '_cursor does not belong to this search. Use it from the link `next` unchanged, or start a new search.',
    );
  }
  const added = others.filter(
    (sent) =>
      sent[1].trim() !== '' && !cursor.parameters.some((held) => held[0] === sent[0] && held[1] === sent[1]),
  );
  const wrong = added.find(([name]) => !pageParameters.includes(name) && hasDirectoryParameter(type, name));
  if (wrong !== undefined) {
    return refusedPage(
      `${printable(wrong[0])} can’t be changed between two pages, because _cursor has the parameters of its search. Leave it out, or start a new search.`,
    );
  }
  const replaced = new Set(added.map(([name]) => name));
  const kept = cursor.parameters.filter(([name]) => !replaced.has(name));
  return { kind: 'page', parameters: [...kept, ...added], at: cursor.at, after: { publication, key, rid } };
}

function refusedPage(diagnostics: string): {
  readonly kind: 'invalid';
  readonly issues: readonly SearchIssue[];
} {
  return { kind: 'invalid', issues: [invalid(diagnostics)] };
}

/** The directory is public: a cursor belongs to a search, and to nobody. */
function owner(base: string, type: DirectoryType) {
  return { clientId: base, patientId: '', search: type };
}

function cursorOf(
  { sha256 }: DirectorySearchServices,
  { base, type }: DirectorySearchRequest,
  publication: DirectoryPublication,
  query: DirectoryQuery,
  { key, rid }: Pick<After, 'key' | 'rid'>,
  at: number,
): string {
  const after = { keys: [publication.id, key], id: String(rid) };
  return formatCursor({ at, parameters: query.used, after }, owner(base, type), sha256);
}

interface DirectoryPage {
  readonly resources: readonly IndexedRow[];
  readonly next?: Pick<After, 'key' | 'rid'>;
}

const emptyPage: DirectoryPage = { resources: [] };

type Place = Pick<After, 'key' | 'rid'>;

function readMatches(
  index: PublicationIndex,
  type: DirectoryType,
  { sort, count, conditions, listedOnly }: DirectoryQuery,
  after: After | undefined,
): DirectoryPage {
  const from = sort.by === 'place' ? after?.rid : undefined;
  const matches = matchesOf(index, type, conditions, listedOnly, from);
  const found = firstOf(matches, sortKey(index, type, sort), count + 1, after);
  const resources: IndexedRow[] = [];
  let bytes = 0;
  for (const resource of index.rows(found.slice(0, count).map(({ rid }) => rid))) {
    bytes += resource.json.length;
    if (bytes > mostBytes && resources.length > 0) break;
    resources.push(resource);
  }
  const last = found[resources.length - 1];
  if (last === undefined || resources.length === found.length) return { resources };
  return { resources, next: last };
}

/** The first places in order that come after one; of matches in the order of their numbers, no more are looked for. */
function firstOf(
  matches: Iterable<number>,
  key: ((rid: number) => number) | undefined,
  most: number,
  after: Place | undefined,
): readonly Place[] {
  const found: Place[] = [];
  for (const rid of matches) {
    const place = { key: key?.(rid) ?? 0, rid };
    if (key === undefined) {
      if (found.push(place) === most) break;
      continue;
    }
    const last = found.at(-1);
    if ((after !== undefined && comparePlaces(place, after) <= 0) || Number.isNaN(place.key)) continue;
    if (found.length === most && last !== undefined && comparePlaces(place, last) >= 0) continue;
    if (found.length === most) found.pop();
    const at = found.findIndex((each) => comparePlaces(place, each) < 0);
    found.splice(at < 0 ? found.length : at, 0, place);
  }
  return found;
}

function comparePlaces(a: Place, b: Place): number {
  return a.key - b.key || a.rid - b.rid;
}

/** Sort value of a resource: the smaller first. */
function sortKey(
  index: PublicationIndex,
  type: DirectoryType,
  sort: DirectorySort,
): ((rid: number) => number) | undefined {
  if (sort.by === 'place') return undefined;
  const { first } = index.range(type);
  if (sort.by === 'distance') {
    const places = index.triples(elementNumber(type, 'near'));
    return (rid) => {
      const at = places.from(rid);
      return places.rid(at) === rid ? distance(sort.from, places.first(at), places.second(at)) : Number.NaN;
    };
  }
  const column =
    sort.by === 'lastUpdated' ? index.updated(type) : index.order(type, sort.by === 'id' ? 'byId' : 'byName');
  const sign = sort.descending ? -1 : 1;
  return (rid) => sign * (column[rid - first] ?? 0);
}

function countOf(
  index: PublicationIndex,
  type: DirectoryType,
  { conditions, listedOnly }: DirectoryQuery,
): number {
  let total = 0;
  for (const _ of matchesOf(index, type, conditions, listedOnly)) total += 1;
  return total;
}

function bundled(
  { type, id, json }: IndexedRow,
  of: DirectoryType,
  mode: BundledResource['mode'],
  { selection }: DirectoryQuery,
): BundledResource {
  return { name: `${type}/${id}`, json: mode === 'match' ? subset(json, of, selection) : json, mode };
}

/** One resource by id, current or of a version that a kept publication has (R4, http.html#read and #vread). */
export type DirectoryReadAnswer =
  | { readonly kind: 'resource'; readonly json: string; readonly versionId: string; readonly updated: number }
  | { readonly kind: 'not_found' };

/** @throws PublicationUnavailable where no publication can be opened. */
export async function readDirectoryResource(
  { publications }: Pick<DirectorySearchServices, 'publications'>,
  type: DirectoryType,
  id: string,
  versionId?: string,
): Promise<DirectoryReadAnswer> {
  const current = await publications.current();
  const found = rowOf(current, type, id);
  if (found !== undefined && (versionId === undefined || found.versionId === versionId)) return found;
  if (versionId === undefined) return { kind: 'not_found' };
  const [meta] = current.all(sql`SELECT value FROM meta WHERE name = 'previous'`);
  const before = typeof meta?.value === 'string' ? await publications.kept(meta.value) : undefined;
  const older = before === undefined ? undefined : rowOf(before, type, id);
  return older !== undefined && older.versionId === versionId ? older : { kind: 'not_found' };
}

function rowOf(
  publication: DirectoryPublication,
  type: DirectoryType,
  id: string,
): Extract<DirectoryReadAnswer, { readonly kind: 'resource' }> | undefined {
  const index = indexOf(publication);
  const [row] = index.rows(index.ridsOf(type, [id]));
  if (row === undefined) return undefined;
  const { meta } = JSON.parse(row.json) as { readonly meta?: { readonly versionId?: unknown } };
  const updated = index.updated(type)[row.rid - index.range(type).first] ?? 0;
  return { kind: 'resource', json: row.json, versionId: String(meta?.versionId ?? '1'), updated };
}
