/**
 * Decides whether another payer has a member's permission: one rule for matches, bulk matches, reads, exports and downloads. A member ends
 * the permission of a payer, not a single Consent.
 */

import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { PayerConsentRule } from '../../catalog/payer/payer-consent-rules.ts';
import { dateRange, startOf } from '../../fhir/values/date-range.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import { type ConsentCircumstances, type ConsentPolicy, judgeConsent } from './judge-consent.ts';

/** The last time at which a member ended each payer's permission: ISO 8601, by the payer's names (`payerNames`). */
export type PermissionEnds = ReadonlyMap<string, string>;

export interface PermissionCircumstances extends ConsentCircumstances {
  /** The application that sends the request. */
  readonly clientId: string;
  readonly ends: PermissionEnds;
}

export type PermissionVerdict =
  | { readonly kind: 'permitted'; readonly policy: ConsentPolicy; readonly until: number }
  /** `reason` is for the audit. `consent_ended` is a fact about the member and is never sent to the payer. */
  | { readonly kind: 'refused'; readonly reason: PayerConsentRule | 'consent_ended' };

/**
 * Judges a Consent by its rules and by the times at which the member ended the payer's permission: only a Consent given after the last of
 * them (`dateTime`) counts.
 */
export function judgePermission(consent: unknown, circumstances: PermissionCircumstances): PermissionVerdict {
  const verdict = judgeConsent(consent, circumstances);
  if (verdict.kind === 'refused') return { kind: 'refused', reason: verdict.rules[0] ?? 'consent_elements' };
  const { policy, until } = verdict;
  return isGivenAfter(consent, lastEnd(circumstances))
    ? { kind: 'permitted', policy, until }
    : { kind: 'refused', reason: 'consent_ended' };
}

/**
 * The names of a payer: its application, and each verified identifier of its organization. The end of a permission applies to every
 * application that shares one of the names.
 */
export function payerNames(
  clientId: string,
  organization: readonly OrganizationIdentifier[],
): readonly string[] {
  return [`client ${clientId}`, ...organization.map(({ system, value }) => `${system}|${value}`)];
}

/** The last time at which the payer's permission was ended, in milliseconds since 1970; undefined if it never was. */
function lastEnd({ clientId, organization, ends }: PermissionCircumstances): number | undefined {
  const times = payerNames(clientId, organization).flatMap((name) => {
    const end = ends.get(name);
    return end === undefined ? [] : [Date.parse(end)];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Whether a Consent was given after the end of the permission. A date without a time counts as midnight, so that a Consent dated on the day
 * of the end does not count.
 */
function isGivenAfter(consent: unknown, end: number | undefined): boolean {
  if (end === undefined) return true;
  const given = dateRange(jsonMember(consent, 'dateTime'));
  return given !== undefined && startOf(given) > end;
}
