/** Types of the requests and responses of all searches. */

import type { FhirRefusal } from '../../catalog/fhir/fhir-refusals.ts';
import type { Interface } from '../../catalog/fhir/interfaces.ts';
import type { MemberContext } from '../../catalog/oauth/authorizer-context.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import type { DisclosureRecorder } from '../disclosure/disclosure-recorder-port.ts';
import type { PatientCompartment } from '../values/patient-compartment.ts';
import type { MediaType } from './media-type.ts';
import type { Parameter, SearchIssue } from './search-issue.ts';

/** A request to search the compartment of the token's patient. */
export interface CompartmentRequest {
  /** Parameters of the query and the form body, decoded, in the order sent. */
  readonly parameters: readonly Parameter[];
  /** Request headers, as sent. */
  readonly accept?: string | undefined;
  readonly prefer?: string | undefined;
  readonly requestId: string;
  readonly clientRequestId?: string;
  readonly context: MemberContext;
  /**
   * IDs of the Patients that may be found in the compartment.
   *
   * @default the token's patient
   */
  readonly patients?: readonly string[];
  /**
   * Parameters that the link to the next page repeats beside its cursor; Payer Access names the patient there.
   *
   * @default none
   */
  readonly repeated?: readonly Parameter[];
  /** FHIR base URL, without a trailing slash. */
  readonly base: string;
}

export type SearchAnswer =
  | { readonly kind: 'bundle'; readonly body: string; readonly mediaType: MediaType }
  | { readonly kind: 'refusal'; readonly refusal: FhirRefusal }
  /** Status 400, with an OperationOutcome of these issues. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

export interface SearchDependencies {
  /** The interface that serves the request; the application must have it among its products. */
  readonly interface: Interface;
  readonly compartment: Pick<PatientCompartment, 'entries' | 'resources'>;
  readonly audit: DisclosureRecorder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sha256: Sha256;
}

/**
 * Whether a request has `Prefer: handling=strict`, so that no parameter may be ignored (RFC 7240; R4, search.html#errors). The first of
 * several `handling` preferences counts.
 */
export function isStrict(prefer: string | undefined): boolean {
  const handling = (prefer ?? '')
    .toLowerCase()
    .split(',')
    .map((preference) => (preference.split(';', 1)[0] ?? '').replace(/[\s"]/g, ''))
    .find((preference) => preference.startsWith('handling='));
  return handling === 'handling=strict';
}

/**
 * Parameters for the response's media type, which are read apart from the search. Some clients add them to every URL, also to that of the
 * next page.
 */
export const representationParameters: readonly string[] = ['_format', '_pretty'];

/** The `_format` parameter, which the link to the next page repeats. */
export function formatOf(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter(([name, value]) => name === '_format' && value !== '').slice(0, 1);
}
