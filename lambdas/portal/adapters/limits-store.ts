/** Counters of the portal's limits in DynamoDB. */

import type { LockoutRule } from '../../platform/kernel/rates.ts';
import { systemClock } from '../../platform/runtime/clock.ts';
import { digests } from '../../platform/runtime/digests.ts';
import { createLockouts, createRates } from '../../platform/table/rates.ts';
import type { Table } from '../../platform/table/table.ts';
import type { Limits } from '../accounts/developer-services.ts';
import { portalLimits } from '../catalog/limits.ts';
import { portalRateKey } from './portal-table-keys.ts';

/**
 * Lockout of sign-ins: five tries, then a delay that doubles from one second up to a quarter of an hour (NIST SP 800-63B-4 section 3.2.2).
 */
const lockout: LockoutRule = {
  name: 'sign-in',
  free: portalLimits.signInFailures,
  firstDelaySeconds: 1,
  longestDelaySeconds: portalLimits.signInDelaySecondsMaximum,
  forgottenAfterSeconds: 86_400,
};

/** The limits of the portal's accounts, counted in its table. */
export function createPortalLimits(table: Table, now: () => number = systemClock): Limits {
  const options = { table, keyOf: portalRateKey, now, sha256: digests.sha256Hex };
  const rates = createRates(options);
  const lockouts = createLockouts(options);
  return {
    attempt: async (rule, subject) => await rates.attempt(rule, subject),
    signInBegins: async (subject) => await lockouts.begin(lockout, subject),
    signInSucceeded: async (subject) => await lockouts.succeeded(lockout, subject),
  };
}
