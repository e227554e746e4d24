/**
 * The judgment whether another payer has a member's permission: one rule for matches, bulk matches, reads, exports and downloads.
 * A permission ends by a fact about the member and the payer, not about one Consent.
 */

import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { PayerConsentRule } from '../../catalog/payer/payer-consent-rules.ts';
import { dateRange, startOf } from '../../fhir/values/date-range.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import { type ConsentCircumstances, type ConsentPolicy, judgeConsent } from './judge-consent.ts';

/** The last end of each payer's permission by one member: ISO 8601 by a payer's name (`payerNames`). */
export type PermissionEnds = ReadonlyMap<string, string>;

export interface PermissionCircumstances extends ConsentCircumstances {
  /** The application that asks. */
  readonly clientId: string;
  readonly ends: PermissionEnds;
}

export type PermissionVerdict =
  | { readonly kind: 'permitted'; readonly policy: ConsentPolicy; readonly until: number }
  /** The reason for the audit. `consent_ended` is a fact about the member and is never sent to the caller. */
  | { readonly kind: 'refused'; readonly reason: PayerConsentRule | 'consent_ended' };

/**
 * Judges a Consent by its rules and by the ends of the payer's permission: after an end only a Consent given later (`dateTime`) counts,
 * whatever its text.
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
 * Names of a payer: its application, and each verified identifier of its organization. An end holds for whichever application shares
 * a name with the one whose access was ended.
 */
export function payerNames(
  clientId: string,
  organization: readonly OrganizationIdentifier[],
): readonly string[] {
  return [`client ${clientId}`, ...organization.map(({ system, value }) => `${system}|${value}`)];
}

/** Milliseconds since 1970; undefined for a payer whose permission was never ended. */
function lastEnd({ clientId, organization, ends }: PermissionCircumstances): number | undefined {
  const times = payerNames(clientId, organization).flatMap((name) => {
    const end = ends.get(name);
    return end === undefined ? [] : [Date.parse(end)];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/** A date without a time begins at midnight: a Consent of the day of the end does not count. */
function isGivenAfter(consent: unknown, end: number | undefined): boolean {
  if (end === undefined) return true;
  const given = dateRange(jsonMember(consent, 'dateTime'));
  return given !== undefined && startOf(given) > end;
}
