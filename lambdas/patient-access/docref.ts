/** `DocumentReference/$docref` (US Core): finds the documents of the token's patient by the dates of care and the type. */

import { nameOf } from '../catalog/fhir/resource-name.ts';
import { allowsSearch } from '../catalog/oauth/scopes.ts';
import { usualSort } from '../fhir/query/member-searches.ts';
import { unknownParameter } from '../fhir/query/parameters.ts';
import {
  type CompartmentRequest,
  isStrict,
  type SearchAnswer,
  type SearchDependencies,
} from '../fhir/query/search-request.ts';
import { admitSearch, readEntries } from '../fhir/search/admitted-search.ts';
import { buildSearchAnswer } from '../fhir/search/answer.ts';
import { searchEvent } from '../fhir/search/disclosure.ts';
import { type Candidate, candidateOf, datesOf, matchesCriteria } from '../fhir/search/matching.ts';
import { comparePositions, positionOf } from '../fhir/search/ordering.ts';
import { pageOf } from '../fhir/search/page.ts';
import { isCareBetween } from '../fhir/values/care-dates.ts';
import type { SearchEntry } from '../fhir/values/patient-compartment.ts';
import { type DocrefQuery, isDocrefParameter, parseDocref } from './docref-query.ts';

/**
 * Finds the current stored documents; none is generated on demand. Without dates, it returns the latest of each type. Another patient's ID
 * finds nothing.
 *
 * @see http://hl7.org/fhir/us/core/STU6.1/OperationDefinition-docref.html
 * @throws the errors of the ports if the store is unavailable; nothing is disclosed then.
 */
export async function findDocuments(
  dependencies: SearchDependencies,
  request: CompartmentRequest,
): Promise<SearchAnswer> {
  const { context, base } = request;
  const now = dependencies.now();
  const event = searchEvent(request, 'DocumentReference.docref', 'DocumentReference');
  const place = {
    request,
    search: 'DocumentReference/$docref',
    url: `${base}/DocumentReference/$docref`,
    hasParameter: isDocrefParameter,
  };
  const covered = allowsSearch(context.scope, 'DocumentReference');
  const admitted = await admitSearch(dependencies, place, event, covered, now);
  if (admitted.kind !== 'admitted') return admitted;
  const { page: asked } = admitted;
  const parsed = parseDocref(asked.parameters, {
    base,
    now: asked.at,
    strict: isStrict(request.prefer),
  });
  if (parsed.kind === 'invalid') return parsed;

  const read = await readEntries(dependencies, admitted, {
    resourceType: 'DocumentReference',
    references: false,
  });
  if (read.kind !== 'entries') return read;
  const { query } = parsed;
  const found = query.patientId === context.patientId ? documents(read.entries, query) : [];
  const order = { sort, count: query.count, after: asked.after };
  return await buildSearchAnswer(dependencies, admitted, {
    page: pageOf(found, order),
    total: found.length,
    used: query.used,
    selection: { summary: 'false' },
    withheld: read.withheld,
    warnings: query.ignored.map((name) => unknownParameter(name, '$docref')),
  });
}

const sort = usualSort('DocumentReference');

function documents(entries: readonly SearchEntry[], query: DocrefQuery): readonly Candidate[] {
  const { criteria, start, end, stored } = query;
  if (!stored) return [];
  const found = entries
    .map(candidateOf)
    .filter((candidate) => candidate.values.tokens.status?.some(([, code]) => code === 'current'))
    .filter((candidate) => matchesCriteria(candidate, criteria))
    .filter((candidate) => isCareBetween(careDates(candidate), start, end));
  return start === undefined && end === undefined ? latestOfEachType(found) : found;
}

/** The dates of the care that a document is about; if it has none, the date of the DocumentReference. */
function careDates(candidate: Candidate) {
  const dates = datesOf(candidate, 'period');
  return dates.length > 0 ? dates : datesOf(candidate, 'date');
}

function latestOfEachType(found: readonly Candidate[]): readonly Candidate[] {
  const placed = found
    .map((candidate) => ({ candidate, position: positionOf(candidate, sort) }))
    .sort((one, other) => comparePositions(one.position, other.position, sort));
  const latest = new Map<string, Candidate>();
  for (const { candidate } of placed) {
    const type = JSON.stringify(candidate.values.tokens.type ?? nameOf(candidate.entry));
    if (!latest.has(type)) latest.set(type, candidate);
  }
  return [...latest.values()];
}
