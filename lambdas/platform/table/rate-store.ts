/**
 * Rate limits of the authorization servers, counted in the environment's table. The rules are in `platform/kernel/rates.ts`, the counters
 * in `platform/table/rates.ts`.
 */

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

/** Rates and lockouts of one token issuer, counted in the environment's table. */
export function createIssuerLimits(table: Table, issuer: TokenIssuer, now: Clock = systemClock) {
  const options = {
    table,
    now,
    sha256: digests.sha256Hex,
    keyOf: (rule: string, sha256: string, period: string) => rateKey(issuer, rule, sha256, period),
  };
  return {
    rates: createRates(options),
    lockouts: createLockouts(options),
    reservations: createReservations(options),
  };
}

/**
 * The limits of requests to the token endpoints of one function.
 *
 * @param requestsPerMinute of one application
 */
export function createIssuerRates(table: Table, requestsPerMinute: number) {
  const ratesOf = oncePerIssuer((issuer) => createIssuerLimits(table, issuer).rates);
  return (issuer: TokenIssuer, source: string): ClientRates =>
    clientRates(ratesOf(issuer), source, requestsPerMinute);
}

/** The limit of UserInfo requests with one grant, by LOB. */
export function createUserInfoRates(table: Table, requestsPerMinute: number) {
  const ratesOf = oncePerIssuer((issuer) => createIssuerLimits(table, issuer).rates);
  return (issuer: TokenIssuer): GrantRate => userInfoRate(ratesOf(issuer), requestsPerMinute);
}

/** Creates rates once per issuer and function instance, because they keep reserved attempts in memory (docs/decisions/0007). */
function oncePerIssuer(create: (issuer: TokenIssuer) => RememberedRates) {
  const known = new Map<TokenIssuer, RememberedRates>();
  return (issuer: TokenIssuer): RememberedRates => {
    const rates = known.get(issuer) ?? create(issuer);
    known.set(issuer, rates);
    return rates;
  };
}
