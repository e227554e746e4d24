/** Searches a LOB's provider directory in one of its publications (R4, http.html#search; Plan-Net 1.1.0). */
import type { DirectoryType } from '../../catalog/directory-resources.ts';
import type { Sha256 } from '../../kernel/digests.ts';
import { type BundledResource, searchBundle, searchUrl } from '../search/bundle.ts';
import { formatCursor, parseCursor } from '../search/cursor.ts';
import { invalid, type Parameter, printable, type SearchIssue } from '../search/search-issue.ts';
import { formatOf } from '../search/search-request.ts';
import { subset } from '../search/subset.ts';
import {
  type DirectoryInclude,
  type DirectoryQuery,
  type DirectorySort,
  hasDirectoryParameter,
  parseDirectoryQuery,
} from './directory-query.ts';
import { unknownOf } from './parse-search-condition.ts';
import { distanceFrom, type Matches, type PublicationRows, planMatches } from './plan.ts';
import type { DirectoryPublication, DirectoryPublications } from './publication.ts';
import { parameterNumbers } from './publication-schema.ts';
import { literal, type Sql, type SqlValue, sql } from './sql.ts';

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

/** Resources included on one page; more are cut with a warning. */
const mostIncluded = 1_000;
/** Bytes of resources on one page: Lambda takes 6 MB, where each quote counts twice. */
const mostBytes = 4_000_000;
/** Rounds of `:iterate`. */
const mostRounds = 5;

/** Parameters that say how a page is presented: a request may change them at a cursor. */
const pageParameters: readonly string[] = ['_count', '_summary', '_elements', '_total'];

/** @throws StoreUnavailable where no publication can be opened. */
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
  const matches = planMatches(publication, type, query.conditions, query.listedOnly);
  const page =
    query.selection.summary === 'count' ? emptyPage : readMatches(publication, query, matches, after);
  const included = readIncluded(publication, query.includes, page.resources, type);
  const isWhole = after === undefined && page.next === undefined && query.selection.summary !== 'count';
  const total = isWhole ? page.resources.length : query.countsAll ? countOf(publication, matches) : undefined;
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
  readonly key: SqlValue;
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
  const [publication, key = null] = cursor?.after.keys ?? [];
  const rid = Number(cursor?.after.id);
  if (cursor === undefined || typeof publication !== 'string' || !Number.isSafeInteger(rid)) {
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

interface ResourceRow {
  readonly rid: number;
  readonly type: DirectoryType;
  readonly id: string;
  readonly json: string;
}

interface DirectoryPage {
  readonly resources: readonly ResourceRow[];
  readonly next?: Pick<After, 'key' | 'rid'>;
}

const emptyPage: DirectoryPage = { resources: [] };

function readMatches(
  rows: PublicationRows,
  { sort, count }: DirectoryQuery,
  matches: Matches,
  after: After | undefined,
): DirectoryPage {
  const { key, table } = sortKey(sort);
  const order = sort.by === 'place' || sort.by === 'distance' || !sort.descending ? '' : ' DESC';
  const beyond = sql`(${key} ${literal(order === '' ? '>' : '<')} ${after?.key ?? null} OR (${key} = ${after?.key ?? null} AND d.rid > ${after?.rid ?? 0}))`;
  const start = after === undefined ? literal('1') : sort.by === 'place' ? sql`d.rid > ${after.rid}` : beyond;
  const orderBy = sort.by === 'place' ? literal('d.rid') : sql`sort_key${literal(order)}, d.rid`;
  const found = rows.all(
    sql`SELECT d.rid, ${key} AS sort_key FROM ${matches.from}${table} WHERE ${matches.where} AND ${start} ORDER BY ${orderBy} LIMIT ${count + 1}`,
  );
  const bodies = readBodies(
    rows,
    found.slice(0, count).map(({ rid }) => Number(rid)),
  );
  const resources: ResourceRow[] = [];
  let bytes = 0;
  for (const resource of bodies) {
    bytes += resource.json.length;
    if (bytes > mostBytes && resources.length > 0) break;
    resources.push(resource);
  }
  const last = found[resources.length - 1];
  if (last === undefined || resources.length === found.length) return { resources };
  return { resources, next: { key: last.sort_key ?? null, rid: Number(last.rid) } };
}

function sortKey(sort: DirectorySort): { readonly key: Sql; readonly table: Sql } {
  if (sort.by === 'place') return { key: literal('0'), table: literal('') };
  if (sort.by === 'distance') {
    return {
      key: distanceFrom(sort.from, literal('s')),
      table: literal(' JOIN position s ON s.rid = d.rid'),
    };
  }
  const column = { id: 's.id', lastUpdated: 's.updated', name: 's.name' }[sort.by];
  return { key: literal(column), table: literal(' JOIN resource s ON s.rid = d.rid') };
}

/** The resources of some numbers, in their order. */
function readBodies(rows: PublicationRows, rids: readonly number[]): readonly ResourceRow[] {
  if (rids.length === 0) return [];
  const list = literal(rids.join(', '));
  const found = rows.all(
    sql`SELECT r.rid, r.type, r.id, b.json FROM resource r JOIN body b ON b.rid = r.rid WHERE r.rid IN (${list})`,
  ) as unknown as readonly ResourceRow[];
  const byRid = new Map(found.map((row) => [row.rid, row]));
  return rids.flatMap((rid) => byRid.get(rid) ?? []);
}

function countOf(rows: PublicationRows, { from, where }: Matches): number {
  const [found] = rows.all(sql`SELECT count(*) AS total FROM ${from} WHERE ${where}`);
  return Number(found?.total ?? 0);
}

/** Follows the includes from a page's matches, round by round where they iterate; a resource stands on a page once. */
function readIncluded(
  rows: PublicationRows,
  includes: readonly DirectoryInclude[],
  matches: readonly ResourceRow[],
  type: DirectoryType,
): { readonly resources: readonly ResourceRow[]; readonly isCut: boolean } {
  const seen = new Set(matches.map(({ rid }) => rid));
  const included: number[] = [];
  let from: readonly { readonly rid: number; readonly type: string }[] = matches;
  for (let round = 0; round <= mostRounds && from.length > 0; round += 1) {
    const followed = includes.filter((include) => round === 0 || include.iterate);
    const found = followed.flatMap((include) => {
      // The first round starts from the matches, whatever type an include that iterates begins with.
      if (round === 0 && include.direction === 'forward' && include.source !== type) return [];
      return follow(rows, include, from);
    });
    const fresh = [...new Map(found.map((each) => [each.rid, each])).values()].filter(
      ({ rid }) => !seen.has(rid),
    );
    const room = mostIncluded - included.length;
    for (const { rid } of fresh.slice(0, room)) {
      seen.add(rid);
      included.push(rid);
    }
    if (fresh.length > room) return { resources: readBodies(rows, included), isCut: true };
    from = fresh;
  }
  return { resources: readBodies(rows, included), isCut: false };
}

function follow(
  rows: PublicationRows,
  { direction, source, parameter, target }: DirectoryInclude,
  from: readonly { readonly rid: number; readonly type: string }[],
): readonly { readonly rid: number; readonly type: string }[] {
  const param = parameterNumbers(source, parameter).values;
  const starts = direction === 'forward' ? from.filter((row) => row.type === source) : from;
  if (starts.length === 0) return [];
  const list = literal(starts.map(({ rid }) => rid).join(', '));
  const links =
    direction === 'forward'
      ? sql`SELECT DISTINCT target AS rid FROM link_of WHERE param = ${param} AND rid IN (${list})`
      : sql`SELECT DISTINCT rid FROM link WHERE param = ${param} AND target IN (${list})`;
  const ofType = target === undefined || direction === 'reverse' ? literal('1') : sql`r.type = ${target}`;
  return rows.all(
    sql`SELECT r.rid, r.type FROM (${links} LIMIT ${mostIncluded + 1}) AS l JOIN resource r ON r.rid = l.rid WHERE ${ofType} ORDER BY r.rid`,
  ) as unknown as readonly { readonly rid: number; readonly type: string }[];
}

function bundled(
  { type, id, json }: ResourceRow,
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

/** @throws StoreUnavailable where no publication can be opened. */
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
  rows: PublicationRows,
  type: DirectoryType,
  id: string,
): Extract<DirectoryReadAnswer, { readonly kind: 'resource' }> | undefined {
  const [row] = rows.all(
    sql`SELECT b.json, r.version, r.updated FROM resource r JOIN body b ON b.rid = r.rid WHERE r.type = ${type} AND r.id = ${id}`,
  );
  if (row === undefined) return undefined;
  return {
    kind: 'resource',
    json: String(row.json),
    versionId: String(row.version),
    updated: Number(row.updated),
  };
}
