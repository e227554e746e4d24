/** Checks a search before the store is read: scope, format, parameters. */

import type { FhirRefusal } from '../../catalog/fhir/fhir-refusals.ts';
import { accessRefusalReasons, findAccessRefusal, inactiveGrantReason } from '../disclosure/access-check.ts';
import type { Disclosure } from '../disclosure/disclosure-recorder-port.ts';
import { isEntryServed, sharedEntries, withheldByScope } from '../disclosure/disclosure-rules.ts';
import { type MediaType, negotiate } from '../query/media-type.ts';
import { formatOf, type SearchAnswer, type SearchDependencies } from '../query/search-request.ts';
import type { AskedEntries, SearchEntry } from '../values/patient-compartment.ts';
import { type RequestedPage, readRequestedPage, type SearchPlace } from './paging.ts';

type Refused = Exclude<SearchAnswer, { kind: 'bundle' }>;

/** A search that may go on to the compartment. */
export interface AdmittedSearch {
  readonly kind: 'admitted';
  readonly place: SearchPlace;
  /** Members of its audit events that don't depend on the outcome. */
  readonly event: Omit<Disclosure, 'outcome'>;
  readonly mediaType: MediaType;
  readonly page: RequestedPage;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Decides what needs no store, in the order of the answers' precedence: 401, 403, 406, 400. The first two are on
 * record; a form and a cursor are no decisions about access.
 *
 * @param covered whether the granted scopes cover what is asked. @param now milliseconds since 1970
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

/** @param reason as the audit says it. */
export async function refuseSearch(
  { audit }: SearchDependencies,
  event: Omit<Disclosure, 'outcome'>,
  reason: string,
  refusal: FhirRefusal,
): Promise<Refused> {
  await audit.record({ ...event, outcome: 'refused', reason });
  return { kind: 'refusal', refusal };
}

/** The entries that the search may find, and the names of withheld resources, which no answer has. */
interface ReadEntries {
  readonly kind: 'entries';
  readonly entries: readonly SearchEntry[];
  readonly withheld: ReadonlySet<string>;
}

/** The first wait of a search: entries of the token's patient, where its grant lives. */
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
  // Of Patients in the partition only the token's is found.
  const known = patients ?? [patientId];
  const own = entries.filter(({ resourceType, id }) => resourceType !== 'Patient' || known.includes(id));
  const served = own.filter((entry) => isEntryServed(entry, now));
  const withheld = withheldByScope(labels, scope);
  return { kind: 'entries', entries: sharedEntries(served, withheld), withheld };
}
