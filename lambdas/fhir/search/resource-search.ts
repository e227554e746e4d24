import type { PatientAccessType } from '../../catalog/fhir-resources.ts';
import { allowsRead, allowsSearch } from '../../catalog/scopes.ts';
import { negotiate } from '../media-type.ts';
import type { SearchEntry } from '../ports.ts';
import { deadGrant, forbidden, forbiddenReasons } from './admission.ts';
import { searchBundle } from './bundle.ts';
import { disclose, searchEvent } from './disclosure.ts';
import { candidateOf, matches } from './matching.ts';
import { nameOf, pageOf } from './page.ts';
import { type AskedPage, askedPage, pageLinks, type SearchPlace } from './paging.ts';
import { parseQuery, type SearchQuery, unknown } from './query.ts';
import {
  type CompartmentRequest,
  formatOf,
  isStrict,
  type SearchAnswer,
  type SearchDependencies,
} from './search-request.ts';

/** FHIR's search-type interaction on one type (R4, http.html#search). */
export interface SearchRequest extends CompartmentRequest {
  readonly type: PatientAccessType;
}

/**
 * Searches the compartment of the token's patient, whatever the query says of another (docs/decisions/0016-search-by-entries.md).
 * A query that finds nothing takes the same waits as any other.
 *
 * @throws what the ports throw when the store is unavailable; nothing is disclosed then.
 */
export async function searchResources(
  dependencies: SearchDependencies,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const { context, type, base } = request;
  const now = dependencies.now();
  const event = searchEvent(request, `${type}.search-type`, type);
  const refused = forbidden(context, allowsSearch(context.scope, type), now / 1000);
  if (refused !== undefined) {
    await dependencies.audit.record({ ...event, outcome: 'refused', reason: forbiddenReasons[refused] });
    return { kind: 'refusal', refusal: refused };
  }
  const mediaType = negotiate(request.accept, formatOf(request.parameters)[0]?.[1]);
  if (mediaType === undefined) return { kind: 'refusal', refusal: 'not-acceptable' };
  const place = { request, search: type, url: `${base}/${type}` };
  const asked = askedPage(dependencies, place, now);
  if (asked.kind === 'invalid') return asked;
  const parsed = parseQuery(type, asked.page.parameters, {
    base,
    now: asked.page.at,
    strict: isStrict(request.prefer),
  });
  if (parsed.kind === 'invalid') return parsed;

  const { query } = parsed;
  const { grant, entries } = await dependencies.compartment.entries(
    context.patientId,
    context.grantId,
    query.includes.length > 0 ? undefined : type,
  );
  const reason = deadGrant(grant, context.clientId, now / 1000);
  if (reason !== undefined) {
    await dependencies.audit.record({ ...event, outcome: 'refused', reason });
    return { kind: 'refusal', refusal: 'invalid-token' };
  }
  const found = find(entries, request, query, asked.page);
  const resources = await disclose(dependencies, event, found.page, {
    mediaType,
    selection: query.selection,
  });
  const body = searchBundle({
    base,
    ...linksOf(dependencies, place, query, asked.page, found),
    total: found.total,
    resources,
    warnings: query.ignored.map((name) => unknown(name, type)),
    now,
  });
  return { kind: 'bundle', body, mediaType };
}

type Found = ReturnType<typeof find>;

/** The matches of a page, and how many there are on all pages. */
function find(
  entries: readonly SearchEntry[],
  { type, context }: SearchRequest,
  { criteria, includes, sort, count, selection }: SearchQuery,
  { after }: AskedPage,
) {
  // Whatever lies in the partition: of patients, only the token's.
  const own = entries.filter((entry) => entry.resourceType !== 'Patient' || entry.id === context.patientId);
  const found = own
    .filter((entry) => entry.resourceType === type)
    .map(candidateOf)
    .filter((candidate) => matches(candidate, criteria));
  const readable = own.filter((entry) => allowsRead(context.scope, entry.resourceType));
  const includable = new Map(readable.map((entry) => [nameOf(entry), entry]));
  const page =
    selection.summary === 'count'
      ? { matches: [], included: [] }
      : pageOf(found, { sort, count, after, includes, includable });
  return { total: found.length, page };
}

function linksOf(
  dependencies: SearchDependencies,
  place: SearchPlace,
  query: SearchQuery,
  { at, after }: AskedPage,
  { page }: Found,
) {
  const continuesAfter = 'continuesAfter' in page ? page.continuesAfter : undefined;
  return pageLinks(dependencies, place, {
    at,
    parameters: query.used,
    after: continuesAfter,
    first: after === undefined,
  });
}
