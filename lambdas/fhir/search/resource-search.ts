/** Searches one resource type in a patient's compartment. */

import type { PatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import { allowsSearch } from '../../catalog/oauth/scopes.ts';
import { memberSearch, usualSort } from '../query/member-searches.ts';
import { unknownParameter } from '../query/parameters.ts';
import { hasParameter, parseQuery, type SearchQuery } from '../query/query.ts';
import {
  type CompartmentRequest,
  isStrict,
  type SearchAnswer,
  type SearchDependencies,
} from '../query/search-request.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import { admitSearch, readEntries } from './admitted-search.ts';
import { buildSearchAnswer } from './answer.ts';
import { searchEvent } from './disclosure.ts';
import { includedEntries } from './included-entries.ts';
import { asksReferences, candidateOf, followChains, matchesCriteria } from './matching.ts';
import { pageOf, type ResultPage } from './page.ts';
import type { RequestedPage } from './paging.ts';
import { scopeFilter } from './scope-filter.ts';

/** A request of FHIR's search-type interaction (R4, http.html#search). */
export interface SearchRequest extends CompartmentRequest {
  readonly type: PatientAccessType;
}

/**
 * Searches the compartment of the token's patient, even if the query names another patient (docs/decisions/0016-search-index-entries.md). A
 * search without results takes the same steps as any other.
 *
 * @throws the errors of the ports if the store is unavailable; nothing is disclosed then.
 */
export async function searchResources(
  dependencies: SearchDependencies,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const { context, type, base } = request;
  const now = dependencies.now();
  const event = searchEvent(request, `${type}.search-type`, type);
  const place = {
    request,
    search: type,
    url: `${base}/${type}`,
    hasParameter: (name: string) => hasParameter(memberSearch(type), name),
  };
  const admitted = await admitSearch(dependencies, place, event, allowsSearch(context.scope, type), now);
  if (admitted.kind !== 'admitted') return admitted;
  const asked = admitted.page;
  const strict = isStrict(request.prefer);
  const parsed = parseQuery(memberSearch(type), asked.parameters, { base, now: asked.at, strict });
  if (parsed.kind === 'invalid') return parsed;

  const { query } = parsed;
  const hasIncludes = query.includes.length > 0;
  const read = await readEntries(dependencies, admitted, {
    resourceType: hasIncludes ? undefined : type,
    references: hasIncludes || query.criteria.some(asksReferences),
  });
  if (read.kind !== 'entries') return read;
  const { used, selection } = query;
  const warnings = query.ignored.map((name) => unknownParameter(name, type));
  const found = find(read.entries, request, query, asked);
  return await buildSearchAnswer(dependencies, admitted, {
    ...found,
    used,
    selection,
    withheld: read.withheld,
    warnings,
  });
}

/** Finds the matches of a page, and the number of matches on all pages. */
function find(
  entries: readonly SearchEntry[],
  { type, context }: SearchRequest,
  { criteria, includes, sort = usualSort(type), count, selection }: SearchQuery,
  { after }: RequestedPage,
): { readonly total: number; readonly page: ResultPage } {
  const candidates = entries
    .filter((entry) => entry.resourceType === type)
    .filter(scopeFilter(context.scope, 's'))
    .map(candidateOf);
  const followed = followChains(candidates, criteria);
  const found = candidates.filter((candidate) => matchesCriteria(candidate, followed));
  if (selection.summary === 'count') return { total: found.length, page: { matches: [], included: [] } };
  const includable = includes.length > 0 ? entries.filter(scopeFilter(context.scope, 'r')) : [];
  return {
    total: found.length,
    page: pageOf(found, { sort, count, after, included: includedEntries(includes, includable) }),
  };
}
