import { demonstration } from '../../catalog/oauth/demonstration.ts';

/** A rate limit: at most `limit` attempts in each fixed period of `periodSeconds`, counted from the epoch. */
export interface RateRule {
  /** Part of the counter's key: `token-caller`. */
  readonly name: string;
  readonly limit: number;
  readonly periodSeconds: number;
  /**
   * Attempts that an instance of a function reserves from the counter at once. Unused ones are lost until the next period, so a rule with a
   * long period should reserve few.
   *
   * @default a hundredth of the limit
   */
  readonly attemptsInLease?: number;
}

/** Refusal of an attempt. `retryAfterSeconds`: whole seconds, at least 1, for the `Retry-After` header (RFC 9110 section 10.2.3). */
interface RateLimited {
  readonly kind: 'limited';
  readonly retryAfterSeconds: number;
}

export type RateVerdict = { readonly kind: 'allowed' } | RateLimited;

/** Counts attempts of all instances of a function together, so that `limit` is never exceeded. */
export interface Rates {
  /**
   * Counts one attempt.
   *
   * @param subject whose attempts are counted together, such as an address or account; stored as a digest only.
   * @throws StoreUnavailable
   */
  attempt(rule: RateRule, subject: string): Promise<RateVerdict>;
}

/** Rates that also remember, in each instance of a function, which subjects have used up their attempts. */
export interface RememberedRates extends Rates {
  /**
   * Refuses a subject that has used up its attempts of the current period, as far as this instance knows. Counts nothing, and makes no
   * call.
   */
  known(rule: RateRule, subject: string): RateVerdict;
}

/** Counts failures: each attempt is counted as a failure before it is made. */
export interface FailureRates extends RememberedRates {
  /**
   * Removes an attempt of the current period, which was no failure, from the count.
   *
   * @throws StoreUnavailable
   */
  removeAttempt(rule: RateRule, subject: string): Promise<void>;
}

/** Counts many attempts together, before the first is made. */
export interface Reservations {
  /**
   * Counts a number of attempts, all or none.
   *
   * @throws StoreUnavailable
   */
  reserve(rule: RateRule, subject: string, attempts: number): Promise<RateVerdict>;
  /**
   * Removes attempts that were no failures from the count.
   *
   * @param at time when they were counted, in milliseconds since 1970; nothing happens if that period is over.
   * @throws StoreUnavailable
   */
  giveBack(rule: RateRule, subject: string, attempts: number, at: number): Promise<void>;
}

/** The limits of one request to a token endpoint. */
export interface ClientRates {
  /** Counts a request before the client is authenticated, by client and caller, so that nobody can use up another client's limit. */
  claimed(clientId: string): Promise<RateVerdict>;
  /** Counts a request of an authenticated confidential client, whatever its address. */
  proven(clientId: string): Promise<RateVerdict>;
  /** Counts a failed authentication, by client and caller. */
  failed(clientId: string): Promise<RateVerdict>;
  /** Refuses a caller with too many recent failed authentications. Called before credentials are verified. */
  mayTry(clientId: string): RateVerdict;
  /** Limit of the demonstration's tokens, by caller alone. */
  demonstrated(): Promise<RateVerdict>;
}

/**
 * Maximum failed authentications of one client from one address in a minute. Each instance of the function admits one more, by which it
 * learns that the limit is reached. A 256-bit secret can't be guessed with so few.
 */
const failuresPerMinute = 30;

/** Tokens of the sandbox's demonstration, by address. */
const demonstrationByAddress: RateRule = {
  name: 'demonstration',
  limit: demonstration.tokensPerMinute,
  periodSeconds: 60,
};

/**
 * The limits of a request to a token endpoint.
 *
 * @param source the caller's address.
 */
export function clientRates(rates: RememberedRates, source: string, requestsPerMinute: number): ClientRates {
  const rule = { limit: requestsPerMinute, periodSeconds: 60 };
  const failures = { name: 'token-failure', limit: failuresPerMinute, periodSeconds: 60 };
  return {
    claimed: (clientId) => rates.attempt({ ...rule, name: 'token-caller' }, `${clientId} ${source}`),
    proven: (clientId) => rates.attempt({ ...rule, name: 'token-client' }, clientId),
    failed: (clientId) => rates.attempt(failures, `${clientId} ${source}`),
    mayTry: (clientId) => rates.known(failures, `${clientId} ${source}`),
    demonstrated: () => rates.attempt(demonstrationByAddress, source),
  };
}

/** Limit of requests with the tokens of one grant. */
export type GrantRate = (grantId: string) => Promise<RateVerdict>;

/**
 * Limit of UserInfo requests, as high as that of token requests. Counted by grant: a token in a browser may be used often, and must not use
 * up the limit of other members.
 */
export function userInfoRate(rates: Rates, requestsPerMinute: number): GrantRate {
  return (grantId) =>
    rates.attempt({ name: 'userinfo', limit: requestsPerMinute, periodSeconds: 60 }, grantId);
}

/** Failures of one subject so far. */
export interface Failures {
  readonly count: number;
  /** Time before which no attempt is allowed: seconds since 1970, with fraction. */
  readonly blockedUntil: number;
}

/** Rule of growing delays after failures. */
export interface LockoutRule {
  readonly name: string;
  /** Number of failures without a delay. */
  readonly free: number;
  readonly firstDelaySeconds: number;
  readonly longestDelaySeconds: number;
  /** Seconds without an attempt after which failures are cleared. */
  readonly forgottenAfterSeconds: number;
}

/**
 * Limit of members' wrong passwords from one address, for all accounts together. An office, a library or a phone network shares an address:
 * 500 people who sign in within an hour, a quarter of them with one mistake, reach half of the limit.
 */
export const signInFailuresByAddress: RateRule = {
  name: 'sign-in-address',
  limit: 60,
  periodSeconds: 900,
};

/**
 * Limit of refused authorization requests from one address that are audited and logged. A browser that renews its tokens with `prompt=none`
 * makes some in a minute; an application's developer fewer.
 */
export const authorizationRefusalsByAddress: RateRule = {
  name: 'authorization-refusal',
  limit: 120,
  periodSeconds: 60,
  attemptsInLease: 10,
};

/**
 * Delays of sign-in: none for five tries, then one second, doubled with each failure up to a quarter of an hour (NIST SP 800-63B-4 section
 * 3.2.2).
 */
export const signInLockout: LockoutRule = {
  name: 'sign-in',
  free: 5,
  firstDelaySeconds: 1,
  longestDelaySeconds: 900,
  forgottenAfterSeconds: 86_400,
};

/** Limit of requests of a payer's application that match no member. A payer that knows its new members makes few of them. */
export const matchFailuresByApplication: RateRule = {
  name: 'member-match-application',
  limit: 200,
  periodSeconds: 3_600,
};

/**
 * Limit of members in a payer's bulk requests who match nobody. A payer submits all its new members at once, and some of them were never
 * members of this plan. The members of a request are counted when its job begins, and those that match are removed from the count when it
 * is complete.
 */
export const bulkMatchFailuresByApplication: RateRule = {
  name: 'bulk-member-match-application',
  limit: 10_000,
  periodSeconds: 86_400,
};

/** Delays of requests for one identifier that match no member: none for five, then one second, doubled up to a quarter of an hour. */
export const matchLockout: LockoutRule = { ...signInLockout, name: 'member-match' };

/**
 * Counts an attempt as failed; the count is corrected later if it succeeds, so that a hundred concurrent guesses are a hundred failures.
 *
 * @returns the refusal, if the delay after earlier failures is not over.
 */
export function countAttempt(
  rule: LockoutRule,
  before: Failures | undefined,
  nowSeconds: number,
): { readonly kind: 'counted'; readonly after: Failures } | RateLimited {
  const count = (before?.count ?? 0) + 1;
  const waits = (before?.blockedUntil ?? 0) - nowSeconds;
  if (waits > 0) return { kind: 'limited', retryAfterSeconds: Math.ceil(waits) };
  return { kind: 'counted', after: { count, blockedUntil: nowSeconds + delaySeconds(rule, count) } };
}

/** Delay in seconds after a number of failures. */
export function delaySeconds(rule: LockoutRule, failures: number): number {
  if (failures < rule.free) return 0;
  // For many failures the power becomes Infinity, which `Math.min` limits too.
  return Math.min(rule.longestDelaySeconds, rule.firstDelaySeconds * 2 ** (failures - rule.free));
}

/** Verdict on an attempt. `failures`: number of earlier ones. */
export type LockoutVerdict = { readonly kind: 'allowed'; readonly failures: number } | RateLimited;

/** Growing delays after failures, counted for all instances of a function together. */
export interface Lockouts {
  /**
   * Counts an attempt before it is made. Concurrent attempts are let through no more often than successive ones.
   *
   * @param subject the account as typed, whether it exists or not; stored as a digest only.
   * @throws StoreUnavailable
   */
  begin(rule: LockoutRule, subject: string): Promise<LockoutVerdict>;
  /**
   * Clears the failures of a subject after a successful attempt.
   *
   * @throws StoreUnavailable
   */
  succeeded(rule: LockoutRule, subject: string): Promise<void>;
  /** Removes one attempt, which neither succeeded nor failed, from the count. Earlier failures stay. */
  removeAttempt(rule: LockoutRule, subject: string): Promise<void>;
}
