/** Another payer that this plan may ask for members' data, as operators keep it. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';

export const otherPayerStates = ['proposed', 'active', 'suspended'] as const;
export type OtherPayerState = (typeof otherPayerStates)[number];

/** Versions of PDex whose answers are read. */
export const pdexVersions = ['2.1', '2.2'] as const;
export type PdexVersion = (typeof pdexVersions)[number];

export interface OtherPayer {
  /** `^[a-z0-9][a-z0-9-]{1,31}$`. Received data has it in its source. */
  readonly payerId: string;
  readonly name: string;
  readonly state: OtherPayerState;
  readonly identifiers: readonly OrganizationIdentifier[];
  /** Base of its FHIR API for payers, without a trailing slash. */
  readonly fhirBase: string;
  /** Token endpoint (SMART Backend Services), and the client ID and scopes that this plan has there. */
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly version: PdexVersion;
  /** A header that its gateway requires beside the token, such as a subscription key; the value is encrypted. */
  readonly header?: { readonly name: string; readonly sealed: Uint8Array } | undefined;
  /** Lines of business whose members it may be asked about. */
  readonly linesOfBusiness: readonly LineOfBusiness[];
  /** Counts the changes, so that one made from an old reading is refused. */
  readonly revision: number;
}
