/** Limits of members' failed sign-ins and verification codes. */

import { type Rates, signInFailuresByAddress, signInLockout } from '../../platform/kernel/rates.ts';
import { systemClock } from '../../platform/runtime/clock.ts';
import { digests } from '../../platform/runtime/digests.ts';
import { createLockouts, createRates } from '../../platform/table/rates.ts';
import type { Table } from '../../platform/table/table.ts';
import { memberRateKey } from '../../platform/table/table-keys.ts';
import type { SignInAttempts } from '../accounts/sign-in.ts';
import { callerBlock } from '../authorize/caller-block.ts';

/** Limits of the sign-in pages: failures by account and by address, and verification codes sent. */
export interface SignInLimits extends SignInAttempts {
  readonly rates: Rates;
  /**
   * Clears the failures of an account.
   *
   * @throws StoreUnavailable
   */
  forgetAccountFailures(account: string): Promise<void>;
}

/** Creates the limits of sign-in. Failures of all LOBs are counted together, because a member has one password for all of them. */
export function createSignInLimits(table: Table, now: () => number = systemClock): SignInLimits {
  const options = { table, keyOf: memberRateKey, now, sha256: digests.sha256Hex };
  const lockouts = createLockouts(options);
  const rates = createRates(options);
  return {
    rates,
    async begin(account, address) {
      const verdict = await rates.attempt(signInFailuresByAddress, callerBlock(address));
      return verdict.kind === 'allowed' ? await lockouts.begin(signInLockout, account) : verdict;
    },
    forgetAddressFailure: async (address) =>
      await rates.removeAttempt(signInFailuresByAddress, callerBlock(address)),
    forgetAccountFailures: async (account) => await lockouts.succeeded(signInLockout, account),
  };
}
