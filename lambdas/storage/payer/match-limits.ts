/** Limits against guessing of members by `$member-match`. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { MatchLimits } from '../../fhir/payer/member-match-port.ts';
import { matchFailuresByApplication, matchLockout, type RateRule } from '../../kernel/rates.ts';
import type { Table } from '../../table/table.ts';
import { createAuthorityLimits } from '../rate-store.ts';

/**
 * Failed matches of one LOB: by application, whichever members it asks for, and by identifier, whoever asks for it.
 *
 * @param byApplication the limit of an application.
 */
export function createMatchLimits(
  table: Table,
  lob: LineOfBusiness,
  byApplication: RateRule = matchFailuresByApplication,
): MatchLimits {
  const { rates, lockouts } = createAuthorityLimits(table, lob);
  return {
    async begin(clientId, identifiers) {
      const verdict = await rates.attempt(byApplication, clientId);
      if (!verdict.allowed) return verdict;
      const each = await Promise.all(
        identifiers.map((identifier) => lockouts.begin(matchLockout, identifier)),
      );
      return each.find(({ allowed }) => !allowed) ?? verdict;
    },
    async succeeded(clientId, matched, others) {
      await Promise.all([
        rates.removeAttempt(byApplication, clientId),
        ...matched.map((identifier) => lockouts.succeeded(matchLockout, identifier)),
        ...others.map((identifier) => lockouts.removeAttempt(matchLockout, identifier)),
      ]);
    },
  };
}
