/** Another payer that this plan may ask for members' data, as operators keep it. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import {
  type OtherPayerSource,
  type OtherPayerState,
  otherPayerLimits,
  type PayerCheckStep,
  type PayerFault,
  type PdexVersion,
} from '../../catalog/payer/other-payers.ts';

/** Result of a test. `step` is the last step that was carried out, `fault` why it failed. */
export interface PayerTestResult {
  /** ISO 8601 */
  readonly at: string;
  readonly step: PayerCheckStep;
  readonly outcome: 'passed' | 'failed';
  readonly fault?: PayerFault | undefined;
}

/** A payer as discovery or a national directory describes it. */
export interface FoundPayer {
  readonly name: string;
  readonly identifiers: readonly OrganizationIdentifier[];
  readonly fhirBase: string;
  /** Absent in a national directory, which does not have it. */
  readonly tokenEndpoint?: string | undefined;
  readonly version?: PdexVersion | undefined;
  readonly contact?: string | undefined;
}

export interface OtherPayer {
  /** `^[a-z0-9][a-z0-9-]{1,31}$`. Received data has it in its source. */
  readonly payerId: string;
  readonly name: string;
  readonly state: OtherPayerState;
  readonly identifiers: readonly OrganizationIdentifier[];
  /** Base of its FHIR API for payers, without a trailing slash. */
  readonly fhirBase: string;
  /**
   * Token endpoint (SMART Backend Services), and the client ID and scopes that this plan has there. Empty in a proposal whose operator has
   * not registered this plan there yet; only a payer that has them can be active.
   */
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly version: PdexVersion;
  /** A header that its gateway requires beside the token, such as a subscription key; the value is encrypted. */
  readonly header?: { readonly name: string; readonly sealed: Uint8Array } | undefined;
  /** Lines of business whose members it may be asked about. */
  readonly linesOfBusiness: readonly LineOfBusiness[];
  /** Telephone number, e-mail address or page of the people who run its API. */
  readonly contact?: string | undefined;
  readonly source: OtherPayerSource;
  /** The description found last, with its time (ISO 8601); an operator compares it with the rest. */
  readonly found?: (FoundPayer & { readonly at: string }) | undefined;
  /** Results of tests, newest first. */
  readonly checks: readonly PayerTestResult[];
  /** Counts the changes, so that one made from an old reading is refused. */
  readonly revision: number;
  /** ISO 8601 */
  readonly changedAt: string;
}

/** An element of which something else was found than the table has. */
export interface PayerDifference {
  readonly field: 'name' | 'identifiers' | 'fhirBase' | 'tokenEndpoint' | 'version' | 'contact';
  /** Empty if the table has none. */
  readonly kept: string;
  readonly found: string;
}

/** The elements of which something else was found. An element that was not found is no difference. */
export function payerDifferences(payer: OtherPayer): readonly PayerDifference[] {
  const { found } = payer;
  if (found === undefined) return [];
  const fields = ['name', 'identifiers', 'fhirBase', 'tokenEndpoint', 'version', 'contact'] as const;
  return fields.flatMap((field) => {
    const [kept, other] = [shown(payer[field]), shown(found[field])];
    return other === '' || kept === other ? [] : [{ field, kept, found: other }];
  });
}

function shown(value: string | readonly OrganizationIdentifier[] | undefined): string {
  if (value === undefined || typeof value === 'string') return value ?? '';
  return value
    .map((identifier) => `${identifier.system}|${identifier.value}`)
    .sort()
    .join(', ');
}

/** Number of tests that failed since the last one that passed. */
export function failedInARow({ checks }: Pick<OtherPayer, 'checks'>): number {
  const at = checks.findIndex(({ outcome }) => outcome === 'passed');
  return at < 0 ? checks.length : at;
}

/** The results with another one, of which the newest are kept. */
export function withCheck(
  checks: readonly PayerTestResult[],
  check: PayerTestResult,
): readonly PayerTestResult[] {
  return [check, ...checks].slice(0, otherPayerLimits.checks);
}
