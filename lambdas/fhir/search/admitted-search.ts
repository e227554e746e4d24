/** The checks of a search before its results are selected: scope, media type, parameters, then the grant. */

import type { FhirRefusal } from '../../catalog/fhir/fhir-refusals.ts';
import { accessRefusalReasons, findAccessRefusal, inactiveGrantReason } from '../disclosure/access-check.ts';
import type { Disclosure } from '../disclosure/disclosure-recorder-port.ts';
import { isEntryServed, sharedEntries, withheldByScope } from '../disclosure/disclosure-rules.ts';
import { type MediaType, negotiate } from '../query/media-type.ts';
import { formatOf, type SearchAnswer, type SearchDependencies } from '../query/search-request.ts';
import type { AskedEntries, SearchEntry } from '../values/patient-compartment.ts';
import { type RequestedPage, readRequestedPage, type SearchPlace } from './paging.ts';

type Refused = Exclude<SearchAnswer, { kind: 'bundle' }>;

/** A search that passed the checks that need no store. */
export interface AdmittedSearch {
  readonly kind: 'admitted';
  readonly place: SearchPlace;
  /** Members that all audit events of the search have, whatever its outcome. */
  readonly event: Omit<Disclosure, 'outcome'>;
  readonly mediaType: MediaType;
  readonly page: RequestedPage;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Makes the checks that need no store, in the order of their status codes: 401, 403, 406, 400. Refusals with 401 and 403 are recorded in
 * the audit; the others are not decisions about access.
 *
 * @param covered whether the granted scopes cover the search.
 * @param now milliseconds since 1970
 */
export async function admitSearch(
  dependencies: SearchDependencies,
  place: SearchPlace,
  event: Omit<Disclosure, 'outcome'>,
  covered: boolean,
  now: number,
): Promise<AdmittedSearch | Refused> {
  const { context, accept, parameters } = place.request;
  const refusal = findAccessRefusal(dependencies.interface, context, covered, now / 1000);
  if (refusal !== undefined)
    return await refuseSearch(dependencies, event, accessRefusalReasons[refusal], refusal);
  const mediaType = negotiate(accept, formatOf(parameters)[0]?.[1]);
  if (mediaType === undefined) return { kind: 'refusal', refusal: 'not-acceptable' };
  const asked = readRequestedPage(dependencies, place, now);
  return asked.kind === 'invalid'
    ? asked
    : { kind: 'admitted', place, event, mediaType, page: asked.page, now };
}

/**
 * Records the refusal of a search in the audit.
 *
 * @param reason of the audit event.
 */
export async function refuseSearch(
  { audit }: SearchDependencies,
  event: Omit<Disclosure, 'outcome'>,
  reason: string,
  refusal: FhirRefusal,
): Promise<Refused> {
  await audit.record({ ...event, outcome: 'refused', reason });
  return { kind: 'refusal', refusal };
}

/** The entries that the search may find, and the names of withheld resources, which must not appear in the response. */
interface ReadEntries {
  readonly kind: 'entries';
  readonly entries: readonly SearchEntry[];
  readonly withheld: ReadonlySet<string>;
}

/**
 * Reads the entries of the token's patient with the grant, in one round trip, and checks the grant. It is the first of the two round trips
 * to the store that a search takes.
 */
export async function readEntries(
  dependencies: SearchDependencies,
  { place, event, now }: AdmittedSearch,
  asked: AskedEntries,
): Promise<ReadEntries | Refused> {
  const { patients, context } = place.request;
  const { clientId, grantId, patientId, scope } = context;
  const { grant, entries, labels } = await dependencies.compartment.entries(patientId, grantId, asked);
  const dead = inactiveGrantReason(grant, clientId, now / 1000);
  if (dead !== undefined) return await refuseSearch(dependencies, event, dead, 'invalid-token');
  // The partition may hold several Patients; a search finds only those named by the request, or the token's.
  const known = patients ?? [patientId];
  const own = entries.filter(({ resourceType, id }) => resourceType !== 'Patient' || known.includes(id));
  const served = own.filter((entry) => isEntryServed(entry, now));
  const withheld = withheldByScope(labels, scope);
  return { kind: 'entries', entries: sharedEntries(served, withheld), withheld };
}
