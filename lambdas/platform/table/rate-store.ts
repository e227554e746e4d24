/** Limits of requests to the authorization servers, counted in the environment's table. Rules: `platform/kernel/rates.ts`; counters: `platform/table/rates.ts`. */

import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  type ClientRates,
  clientRates,
  type GrantRate,
  type RememberedRates,
  userInfoRate,
} from '../kernel/rates.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { createLockouts, createRates, createReservations } from './rates.ts';
import type { Table } from './table.ts';
import { rateKey } from './table-keys.ts';

/** Rates and lockouts of one token authority, counted in the environment's table. */
export function createAuthorityLimits(table: Table, authority: TokenIssuer, now: Clock = systemClock) {
  const options = {
    table,
    now,
    sha256: digests.sha256Hex,
    keyOf: (rule: string, sha256: string, window: string) => rateKey(authority, rule, sha256, window),
  };
  return {
    rates: createRates(options),
    lockouts: createLockouts(options),
    reservations: createReservations(options),
  };
}

/** The limits of each request to the token endpoints of one function. @param requestsPerMinute of one application */
export function createAuthorityRates(table: Table, requestsPerMinute: number) {
  const ratesOf = oncePerAuthority((authority) => createAuthorityLimits(table, authority).rates);
  return (authority: TokenIssuer, source: string): ClientRates =>
    clientRates(ratesOf(authority), source, requestsPerMinute);
}

/** The limit of the UserInfo requests of one grant, by LOB. */
export function createUserInfoRates(table: Table, requestsPerMinute: number) {
  const ratesOf = oncePerAuthority((authority) => createAuthorityLimits(table, authority).rates);
  return (authority: TokenIssuer): GrantRate => userInfoRate(ratesOf(authority), requestsPerMinute);
}

/** Created once for each function instance, because they hold leases (docs/decisions/0007). */
function oncePerAuthority(create: (authority: TokenIssuer) => RememberedRates) {
  const known = new Map<TokenIssuer, RememberedRates>();
  return (authority: TokenIssuer): RememberedRates => {
    const rates = known.get(authority) ?? create(authority);
    known.set(authority, rates);
    return rates;
  };
}
