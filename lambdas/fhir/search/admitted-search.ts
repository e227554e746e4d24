import type { MemberContext } from '../../catalog/authorizer-context.ts';
import { deadGrant, forbidden, forbiddenReasons } from '../admission.ts';
import { type MediaType, negotiate } from '../media-type.ts';
import type { Disclosure, SearchEntry } from '../ports.ts';
import { type AskedPage, askedPage, type SearchPlace } from './paging.ts';
import { formatOf, type SearchAnswer, type SearchDependencies } from './search-request.ts';

type Refused = Exclude<SearchAnswer, { kind: 'bundle' }>;

/** A search that may go on to the compartment. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly mediaType: MediaType;
  readonly page: AskedPage;
}

/**
 * What is decided before anything is read, in the order of the answers' precedence: 401, 403, 406, 400. The first two are on
 * record; a form and a cursor are no decisions about access.
 *
 * @param covered whether the granted scopes cover what is asked. @param now milliseconds since 1970
 */
export async function admit(
  dependencies: SearchDependencies,
  place: SearchPlace,
  event: Omit<Disclosure, 'outcome'>,
  covered: boolean,
  now: number,
): Promise<Admitted | Refused> {
  const { context, accept, parameters } = place.request;
  const refusal = forbidden(context, covered, now / 1000);
  if (refusal !== undefined) {
    await dependencies.audit.record({ ...event, outcome: 'refused', reason: forbiddenReasons[refusal] });
    return { kind: 'refusal', refusal };
  }
  const mediaType = negotiate(accept, formatOf(parameters)[0]?.[1]);
  if (mediaType === undefined) return { kind: 'refusal', refusal: 'not-acceptable' };
  const asked = askedPage(dependencies, place, now);
  return asked.kind === 'invalid' ? asked : { kind: 'admitted', mediaType, page: asked.page };
}

/**
 * The first wait of a search: entries of the token's patient, where its grant lives.
 *
 * @param type undefined for all. @param seconds since 1970
 * @returns why the grant gives nothing any more, as the audit says it; else the entries.
 */
export async function readEntries(
  { compartment }: SearchDependencies,
  { clientId, grantId, patientId }: MemberContext,
  type: string | undefined,
  seconds: number,
): Promise<readonly SearchEntry[] | string> {
  const { grant, entries } = await compartment.entries(patientId, grantId, type);
  const dead = deadGrant(grant, clientId, seconds);
  // Whatever lies in the partition: of patients, only the token's.
  return dead ?? entries.filter(({ resourceType, id }) => resourceType !== 'Patient' || id === patientId);
}
