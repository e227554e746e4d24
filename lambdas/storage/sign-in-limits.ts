import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { SignInAttempts } from '../members/sign-in.ts';
import { type Lockouts, type Rates, signInLockout } from '../oauth/rates.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { createLockouts, createRates } from './rate-store.ts';
import type { Table } from './table.ts';

/** The limits of the member's pages: growing delays by name, and how many codes are sent. */
export interface SignInLimits extends SignInAttempts {
  rates(lob: LineOfBusiness): Rates;
  /** Forgets the failures under a name. @throws StoreUnavailable */
  succeeded(lob: LineOfBusiness, name: string): Promise<void>;
}

/** Counted in each LOB by itself: no function's rights reach further than a LOB's partitions at a time. */
export function createSignInLimits(table: Table, now: () => number = systemClock): SignInLimits {
  const made = new Map<LineOfBusiness, { readonly lockouts: Lockouts; readonly rates: Rates }>();
  const of = (authority: LineOfBusiness) => {
    const options = { table, authority, now, sha256: digests.sha256Hex };
    const limits = made.get(authority) ?? {
      lockouts: createLockouts(options),
      rates: createRates(options),
    };
    made.set(authority, limits);
    return limits;
  };
  return {
    begin: async (lob, name) => await of(lob).lockouts.begin(signInLockout, name),
    succeeded: async (lob, name) => await of(lob).lockouts.succeeded(signInLockout, name),
    rates: (lob) => of(lob).rates,
  };
}
