/** `$everything` of a Patient (R4, patient-operation-everything.html): reads all the scopes allow of the token's patient, a page at a time. */

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

/** `Patient/{id}/$everything` (R4, operation-patient-everything.html). */
export interface EverythingRequest extends CompartmentRequest {
  /** The URL's id, as it came. */
  readonly id: string;
}

/**
 * All of the token's patient that the scope allows reading, Patient first. Another patient's id takes the same waits and gets the
 * same answer as one that does not exist.
 *
 * @throws what the ports throw when the store is unavailable; nothing is disclosed then.
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
 * Whether the care a resource tells of lies between two dates, as far as it has dates of care (R4,
 * patient-operation-everything.html): claims and visits have, and what they refer to goes with them.
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
