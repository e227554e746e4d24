/**
 * `$everything` of a Patient (R4, patient-operation-everything.html): pages of all resources of the token's patient that the scopes allow.
 */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import { isPatientAccessType, servedResource } from '../../catalog/fhir/fhir-resources.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { allowsRead } from '../../catalog/oauth/scopes.ts';
import { type EverythingQuery, isEverythingParameter, parseEverything } from '../query/everything-query.ts';
import { unknownParameter } from '../query/parameters.ts';
import {
  type CompartmentRequest,
  isStrict,
  type SearchAnswer,
  type SearchDependencies,
} from '../query/search-request.ts';
import { isCareBetween } from '../values/care-dates.ts';
import { type DateRange, dateRange, startOf } from '../values/date-range.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import { admitSearch, readEntries, refuseSearch } from './admitted-search.ts';
import { buildSearchAnswer } from './answer.ts';
import { searchEvent } from './disclosure.ts';
import { type Candidate, candidateOf, datesOf } from './matching.ts';
import { typeOrder } from './ordering.ts';
import { pageOf, type ResultPage } from './page.ts';
import type { RequestedPage } from './paging.ts';
import { scopeFilter } from './scope-filter.ts';

/** A request for `Patient/{id}/$everything` (R4, operation-patient-everything.html). */
export interface EverythingRequest extends CompartmentRequest {
  /** The ID in the URL, as sent; it may be invalid. */
  readonly id: string;
}

/**
 * Reads all resources of the token's patient that the scope allows, Patient first. Another patient's ID takes the same steps and gets the
 * same response as an ID that does not exist.
 *
 * @throws the errors of the ports if the store is unavailable; nothing is disclosed then.
 */
export async function readEverything(
  dependencies: SearchDependencies,
  request: EverythingRequest,
): Promise<SearchAnswer> {
  const { context, base, id } = request;
  const now = dependencies.now();
  const valid = isFhirId(id);
  const event = searchEvent(request, 'Patient.everything', valid ? `Patient/${id}` : undefined);
  const place = {
    request,
    search: 'Patient/$everything',
    url: `${base}/Patient/${id}/$everything`,
    hasParameter: isEverythingParameter,
  };
  const admitted = await admitSearch(dependencies, place, event, allowsRead(context.scope, 'Patient'), now);
  if (admitted.kind !== 'admitted') return admitted;
  const parsed = parseEverything(admitted.page.parameters, isStrict(request.prefer));
  if (parsed.kind === 'invalid') return parsed;

  const read = await readEntries(dependencies, admitted, { resourceType: undefined, references: false });
  if (read.kind !== 'entries') return read;
  if (!read.entries.some((entry) => nameOf(entry) === `Patient/${id}`)) {
    return await refuseSearch(dependencies, event, 'not_found', 'not-found');
  }
  const { query } = parsed;
  const warnings = query.ignored.map((name) => unknownParameter(name, '$everything'));
  const found = find(read.entries, request, query, admitted.page);
  const selection = { summary: 'false' } as const;
  return await buildSearchAnswer(dependencies, admitted, {
    ...found,
    used: query.used,
    selection,
    withheld: read.withheld,
    warnings,
  });
}

function find(
  entries: readonly SearchEntry[],
  { context }: EverythingRequest,
  { types, since, start, end, count }: EverythingQuery,
  { after }: RequestedPage,
): { readonly total: number; readonly page: ResultPage } {
  const all = entries
    .filter(scopeFilter(context.scope, 'r'))
    .filter((entry) => types?.some((type) => type === entry.resourceType) ?? true)
    .filter((entry) => since === undefined || changedSince(entry, since))
    .map(candidateOf)
    .filter((candidate) => givenBetween(candidate, start, end));
  const order = { sort: [typeOrder], count, after };
  return { total: all.length, page: pageOf(all, order) };
}

/**
 * Whether the care in a resource was given between two dates (R4, patient-operation-everything.html). Only claims and visits have dates of
 * care; other resources are always included, because claims and visits refer to them.
 */
function givenBetween(
  candidate: Candidate,
  start: DateRange | undefined,
  end: DateRange | undefined,
): boolean {
  const { resourceType } = candidate.entry;
  const careDate = isPatientAccessType(resourceType) ? servedResource(resourceType).careDate : undefined;
  const dates = careDate === undefined ? [] : datesOf(candidate, careDate);
  return isCareBetween(dates, start, end);
}

function changedSince({ lastUpdated }: SearchEntry, since: number): boolean {
  const range = dateRange(lastUpdated);
  return range !== undefined && startOf(range) >= since;
}
