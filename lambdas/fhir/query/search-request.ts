/** Requests and answers that all searches share. */

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
  /** Decoded, of query and form, in their order. */
  readonly parameters: readonly Parameter[];
  /** Headers, as they came. */
  readonly accept?: string | undefined;
  readonly prefer?: string | undefined;
  readonly requestId: string;
  readonly clientRequestId?: string;
  readonly context: MemberContext;
  /** IDs of the Patients of the compartment. @default the token's */
  readonly patients?: readonly string[];
  /** Parameters that the link to a next page repeats beside its cursor: Payer Access has the patient there. @default none */
  readonly repeated?: readonly Parameter[];
  /** FHIR base URL, without a slash at its end. */
  readonly base: string;
}

export type SearchAnswer =
  | { readonly kind: 'bundle'; readonly body: string; readonly mediaType: MediaType }
  | { readonly kind: 'refusal'; readonly refusal: FhirRefusal }
  /** 400 with one issue each. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

export interface SearchDependencies {
  /** The interface that is served; an application needs it among its products. */
  readonly interface: Interface;
  readonly compartment: Pick<PatientCompartment, 'entries' | 'resources'>;
  readonly audit: DisclosureRecorder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sha256: Sha256;
}

/** Whether a request asks that nothing in it be ignored (RFC 7240; R4, search.html#errors). The first of several counts. */
export function isStrict(prefer: string | undefined): boolean {
  const handling = (prefer ?? '')
    .toLowerCase()
    .split(',')
    .map((preference) => (preference.split(';', 1)[0] ?? '').replace(/[\s"]/g, ''))
    .find((preference) => preference.startsWith('handling='));
  return handling === 'handling=strict';
}

/** Parameters of the answer's media type, which is negotiated elsewhere: some clients put them on each URL, the next page's too. */
export const representationParameters: readonly string[] = ['_format', '_pretty'];

/** The `_format` parameter: it goes along to the next page. */
export function formatOf(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter(([name, value]) => name === '_format' && value !== '').slice(0, 1);
}
