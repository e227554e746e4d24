/** Limits that keep a payer from guessing members by `$member-match`. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import {
  bulkMatchFailuresByApplication,
  matchLockout,
  type RateRule,
  type RateVerdict,
} from '../../platform/kernel/rates.ts';
import { createIssuerLimits } from '../../platform/table/rate-store.ts';
import type { Table } from '../../platform/table/table.ts';
import type { MemberQuota } from '../jobs/job-ports.ts';
import type { MatchLimits } from '../permission/member-match-port.ts';

/**
 * Counts failed matches of one LOB, by application for all members and by identifier for all applications.
 *
 * @param byApplication the limit of an application; undefined for a bulk match, whose members are counted when it begins.
 */
export function createMatchLimits(
  table: Table,
  lob: LineOfBusiness,
  byApplication: RateRule | undefined,
): MatchLimits {
  const { rates, lockouts } = createIssuerLimits(table, lob);
  return {
    async begin(clientId, identifiers) {
      const verdict: RateVerdict =
        byApplication === undefined ? { kind: 'allowed' } : await rates.attempt(byApplication, clientId);
      if (verdict.kind === 'limited') return verdict;
      const each = await Promise.all(
        identifiers.map((identifier) => lockouts.begin(matchLockout, identifier)),
      );
      return each.find(({ kind }) => kind === 'limited') ?? verdict;
    },
    async succeeded(clientId, matched, others) {
      await Promise.all([
        byApplication !== undefined && rates.removeAttempt(byApplication, clientId),
        ...matched.map((identifier) => lockouts.succeeded(matchLockout, identifier)),
        ...others.map((identifier) => lockouts.removeAttempt(matchLockout, identifier)),
      ]);
    },
  };
}

/**
 * Quota of the members in an application's bulk matches. All are counted when a match begins, and those that matched are given back when it
 * completes.
 */
export function createBulkMatchQuota(table: Table, lob: LineOfBusiness): MemberQuota {
  const { reservations } = createIssuerLimits(table, lob);
  const rule = bulkMatchFailuresByApplication;
  return {
    reserve: async (clientId, members) => await reservations.reserve(rule, clientId, members),
    giveBack: async (clientId, members, at) => await reservations.giveBack(rule, clientId, members, at),
  };
}
