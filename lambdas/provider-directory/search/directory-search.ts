/** Searches a LOB's provider directory in one of its publications (R4, http.html#search; Plan-Net 1.1.0). */
import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import { unknownParameter } from '../../fhir/query/parameters.ts';
import { hasParameter } from '../../fhir/query/query.ts';
import { selectionOf } from '../../fhir/query/result-parameters.ts';
import { invalid, type Parameter, printable, type SearchIssue } from '../../fhir/query/search-issue.ts';
import { formatOf } from '../../fhir/query/search-request.ts';
import { type BundledResource, searchBundle, searchUrl } from '../../fhir/search/bundle.ts';
import { formatCursor, parseCursor } from '../../fhir/search/cursor.ts';
import { subset } from '../../fhir/search/subset.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import type { DirectoryPublication, DirectoryPublications } from '../publication/publication.ts';
import { type IndexedRow, indexOf, type PublicationIndex } from '../publication/publication-index.ts';
import { sql } from '../publication/sql.ts';
import { firstOf, type OrderedPlace, sortKeys } from './directory-order.ts';
import { type DirectoryQuery, parseDirectoryQuery } from './directory-query.ts';
import { directorySearch } from './directory-searches.ts';
import { mostIncluded, readIncluded } from './included-resources.ts';
import { matchesOf } from './plan.ts';

export interface DirectorySearchServices {
  readonly publications: DirectoryPublications;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface DirectorySearchRequest {
  readonly type: DirectoryType;
  /** Parameters of the query and the form body, decoded, in the order sent. */
  readonly parameters: readonly Parameter[];
  /** `Prefer: handling=strict`. */
  readonly strict: boolean;
  /** FHIR base URL, without a trailing slash. */
  readonly base: string;
}

export type DirectorySearchAnswer =
  | { readonly kind: 'bundle'; readonly body: string; readonly publication: string }
  /** Status 400, with an OperationOutcome of these issues. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] }
  /** Status 410: the cursor's publication is no longer kept. */
  | { readonly kind: 'publication_gone' };

/** Most bytes of resources on one page. A Lambda function's response may have 6 MB, where each quote counts twice. */
const mostBytes = 4_000_000;
/** Parameters of the presentation, which a request may change from page to page. */
const pageParameters: readonly string[] = ['_count', '_summary', '_elements', '_total'];

/**
 * Searches resources of one type.
 *
 * @throws PublicationUnavailable if no publication can be opened.
 */
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
  if (after !== undefined && after.keys.length !== parsed.query.sort.length) return strangeCursor;
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
    ...query.ignored.map((name) => unknownParameter(name, type)),
    ...(included.isCut
      ? [`At most ${mostIncluded} resources are included on a page; others were left out.`]
      : []),
    ...(isWhole && page.resources.length === 0 ? specialtyWords(query.used) : []),
  ];
  const url = `${base}/${type}`;
  const format = formatOf(request.parameters);
  const count = query.used.filter(([name]) => name === '_count');
  const resources = [
    ...page.resources.map((row) => bundled(row, 'match', query)),
    ...included.resources.map((row) => bundled(row, 'include', query)),
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

/** A code of NUCC's taxonomy, the only code system of Plan-Net's specialties. */
const taxonomyCode = /^[0-9A-Z]{9}X$/;

/** Makes hints for an empty result: values of `specialty` that are words instead of codes. */
function specialtyWords(used: readonly Parameter[]): readonly string[] {
  return used
    .filter(([name]) => name === 'specialty' || name.endsWith('.specialty'))
    .flatMap(([name, value]) => value.split(',').map((each) => [name, each] as const))
    .filter(([, value]) => !value.includes('|') && !taxonomyCode.test(value))
    .map(
      ([name, value]) =>
        `${name} takes codes of http://nucc.org/provider-taxonomy, such as 207RC0000X, and ${printable(value)} is none. To search by words, send specialty:text.`,
    );
}

/** The position after which a page begins. */
interface After extends OrderedPlace {
  readonly publication: string;
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
  const [publication, ...sortValues] = cursor?.after.keys ?? [];
  const keys = sortValues.map(Number);
  const rid = Number(cursor?.after.id);
  if (
    cursor === undefined ||
    typeof publication !== 'string' ||
    !Number.isSafeInteger(rid) ||
    keys.some(Number.isNaN)
  ) {
    return strangeCursor;
  }
  const added = others.filter(
    (sent) =>
      sent[1].trim() !== '' && !cursor.parameters.some((held) => held[0] === sent[0] && held[1] === sent[1]),
  );
  const wrong = added.find(
    ([name]) => !pageParameters.includes(name) && hasParameter(directorySearch(type), name),
  );
  if (wrong !== undefined) {
    return refusedPage(
      `${printable(wrong[0])} can’t be changed between two pages, because _cursor has the parameters of its search. Leave it out, or start a new search.`,
    );
  }
  const replaced = new Set(added.map(([name]) => name));
  const kept = cursor.parameters.filter(([name]) => !replaced.has(name));
  return { kind: 'page', parameters: [...kept, ...added], at: cursor.at, after: { publication, keys, rid } };
}

const strangeCursor = refusedPage(
  '_cursor does not belong to this search. Use it from the link `next` unchanged, or start a new search.',
);

function refusedPage(diagnostics: string): {
  readonly kind: 'invalid';
  readonly issues: readonly SearchIssue[];
} {
  return { kind: 'invalid', issues: [invalid(diagnostics)] };
}

/** Owner of a cursor: only the search, because the directory is public. */
function owner(base: string, type: DirectoryType) {
  return { clientId: base, patientId: '', search: type };
}

function cursorOf(
  { sha256 }: DirectorySearchServices,
  { base, type }: DirectorySearchRequest,
  publication: DirectoryPublication,
  query: DirectoryQuery,
  { keys, rid }: OrderedPlace,
  at: number,
): string {
  const after = { keys: [publication.id, ...keys], id: String(rid) };
  return formatCursor({ at, parameters: query.used, after }, owner(base, type), sha256);
}

interface DirectoryPage {
  readonly resources: readonly IndexedRow[];
  readonly next?: OrderedPlace;
}

const emptyPage: DirectoryPage = { resources: [] };

function readMatches(
  index: PublicationIndex,
  type: DirectoryType,
  { sort, count, criteria, listedOnly }: DirectoryQuery,
  after: After | undefined,
): DirectoryPage {
  const from = sort.length === 0 ? after?.rid : undefined;
  const matches = matchesOf(index, type, criteria, listedOnly, from);
  const found = firstOf(matches, sortKeys(index, type, { sort, criteria }), count + 1, after);
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

function countOf(
  index: PublicationIndex,
  type: DirectoryType,
  { criteria, listedOnly }: DirectoryQuery,
): number {
  let total = 0;
  for (const _ of matchesOf(index, type, criteria, listedOnly)) total += 1;
  return total;
}

function bundled(
  { type, id, json }: IndexedRow,
  mode: BundledResource['mode'],
  { selection }: DirectoryQuery,
): BundledResource {
  return { name: `${type}/${id}`, json: subset(json, type, selectionOf(selection, type, mode)), mode };
}

/** Response to a read: the current resource, or a version that a kept publication has (R4, http.html#read and #vread). */
export type DirectoryReadAnswer =
  | { readonly kind: 'resource'; readonly json: string; readonly versionId: string; readonly updated: number }
  | { readonly kind: 'not_found' };

/**
 * Reads a resource by its ID.
 *
 * @throws PublicationUnavailable if no publication can be opened.
 */
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
