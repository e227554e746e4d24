/** A rate limit: `limit` attempts in each window of time, counted from the epoch. */
export interface RateRule {
  /** Stands in the counter's key: `token-caller`. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /**
   * Attempts that an instance of a function takes from the counter at once. What it doesn't use is lost until the next window, so that a
   * long window needs few.
   *
   * @default a hundredth of the limit
   */
  readonly attemptsInLease?: number;
}

/** `retryAfterSeconds`: whole seconds, at least 1, for the `Retry-After` header (RFC 9110 section 10.2.3). */
interface RateLimited {
  readonly kind: 'limited';
  readonly retryAfterSeconds: number;
}

export type RateVerdict = { readonly kind: 'allowed' } | RateLimited;

/** Counts attempts where all instances of a function see them: never more than `limit` in a window. */
export interface Rates {
  /**
   * Counts one attempt.
   *
   * @param subject whose attempts are counted together; kept as a digest only.
   * @throws StoreUnavailable
   */
  attempt(rule: RateRule, subject: string): Promise<RateVerdict>;
}

/** Rates of which an instance of a function remembers the subjects that have used up their attempts. */
export interface RememberedRates extends Rates {
  /** Refuses a subject whose attempts in the open window are used up, as far as this instance knows. Counts nothing, and makes no call. */
  known(rule: RateRule, subject: string): RateVerdict;
}

/** Counts failures: each attempt as one before it is made. */
export interface FailureRates extends RememberedRates {
  /** Takes back an attempt of the open window that was no failure. @throws StoreUnavailable */
  removeAttempt(rule: RateRule, subject: string): Promise<void>;
}

/** Counts many attempts together, before the first is made. */
export interface Reservations {
  /** Counts so many attempts, all or none. @throws StoreUnavailable */
  reserve(rule: RateRule, subject: string, attempts: number): Promise<RateVerdict>;
  /**
   * Takes back attempts that were no failures.
   *
   * @param at when they were counted, in milliseconds since 1970: a window that has closed has nothing to take back.
   * @throws StoreUnavailable
   */
  giveBack(rule: RateRule, subject: string, attempts: number, at: number): Promise<void>;
}

/** The limits of one request to a token endpoint. */
export interface ClientRates {
  /** Limit before the client has authenticated, counted by caller as well, so that nobody uses up another client's limit. */
  claimed(clientId: string): Promise<RateVerdict>;
  /** Limit of a confidential client that has authenticated, wherever it calls from. */
  proven(clientId: string): Promise<RateVerdict>;
  /** Counts a failed authentication, by client and caller. */
  failed(clientId: string): Promise<RateVerdict>;
  /** Checked before credentials are verified: whether too many authentications of the caller failed recently. */
  mayTry(clientId: string): RateVerdict;
}

/**
 * Failed authentications of one client from one address. Each instance of the function admits one more, by which it learns that none is
 * left; a 256-bit secret can't be guessed with so many.
 */
const failuresPerMinute = 30;

/** @param source the caller's address. */
export function clientRates(rates: RememberedRates, source: string, requestsPerMinute: number): ClientRates {
  const rule = { limit: requestsPerMinute, windowSeconds: 60 };
  const failures = { name: 'token-failure', limit: failuresPerMinute, windowSeconds: 60 };
  return {
    claimed: (clientId) => rates.attempt({ ...rule, name: 'token-caller' }, `${clientId} ${source}`),
    proven: (clientId) => rates.attempt({ ...rule, name: 'token-client' }, clientId),
    failed: (clientId) => rates.attempt(failures, `${clientId} ${source}`),
    mayTry: (clientId) => rates.known(failures, `${clientId} ${source}`),
  };
}

/** Limit of requests with the tokens of one grant. */
export type GrantRate = (grantId: string) => Promise<RateVerdict>;

/** UserInfo, as often as tokens may be asked for. A token may lie in a browser: its use is counted against no other member's. */
export function userInfoRate(rates: Rates, requestsPerMinute: number): GrantRate {
  return (grantId) =>
    rates.attempt({ name: 'userinfo', limit: requestsPerMinute, windowSeconds: 60 }, grantId);
}

/** Failures of one subject so far. */
export interface Failures {
  readonly count: number;
  /** Seconds since 1970, with fraction; no attempt is made before this time. */
  readonly blockedUntil: number;
}

/** Growing delays after failures. */
export interface LockoutRule {
  readonly name: string;
  /** Failures without consequence. */
  readonly free: number;
  readonly firstDelaySeconds: number;
  readonly longestDelaySeconds: number;
  /** Seconds without an attempt after which failures are forgotten. */
  readonly forgottenAfterSeconds: number;
}

/**
 * Wrong passwords of members from one address, whoever's they are. An office, a library or a phone network shares an address:
 * 500 people who sign in within an hour, a quarter of them with one mistake, come to half of the limit. Right passwords don't count.
 */
export const signInFailuresByAddress: RateRule = {
  name: 'sign-in-address',
  limit: 60,
  windowSeconds: 900,
};

/** Sign-in: five tries, then a second that doubles to a quarter of an hour (NIST SP 800-63B-4 section 3.2.2). */
export const signInLockout: LockoutRule = {
  name: 'sign-in',
  free: 5,
  firstDelaySeconds: 1,
  longestDelaySeconds: 900,
  forgottenAfterSeconds: 86_400,
};

/**
 * Requests of one payer's application that match no member. A payer that knows its new members asks again for few of them; right
 * matches don't count.
 */
export const matchFailuresByApplication: RateRule = {
  name: 'member-match-application',
  limit: 200,
  windowSeconds: 3_600,
};

/**
 * Members of a payer's bulk requests that match no member. A payer submits all its new members at once, and some of them never were
 * members of this plan. The members of a request are counted when it begins a job, and those that match are taken back when it is complete.
 */
export const bulkMatchFailuresByApplication: RateRule = {
  name: 'bulk-member-match-application',
  limit: 10_000,
  windowSeconds: 86_400,
};

/** Requests for one identifier that match no member: five, then a second that doubles to a quarter of an hour. */
export const matchLockout: LockoutRule = { ...signInLockout, name: 'member-match' };

/**
 * Counts one more attempt, as failed until it is reported to have succeeded: a hundred guesses at
 * once are then a hundred failures, not one.
 *
 * @returns the refusal, where the delay of the failures before isn't over.
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

/** Delay after so many failures, in seconds. */
export function delaySeconds(rule: LockoutRule, failures: number): number {
  if (failures < rule.free) return 0;
  // 2 ** 1024 is Infinity, which the longest delay bounds too.
  return Math.min(rule.longestDelaySeconds, rule.firstDelaySeconds * 2 ** (failures - rule.free));
}

/** `failures`: how many there were before. */
export type LockoutVerdict = { readonly kind: 'allowed'; readonly failures: number } | RateLimited;

/** Growing delays where all instances of a function see them. */
export interface Lockouts {
  /**
   * Counts an attempt before it is made. Of attempts at the same time as many are let through as one after another would.
   *
   * @param subject the account as it was typed, whether it exists or not; kept as a digest only.
   * @throws StoreUnavailable
   */
  begin(rule: LockoutRule, subject: string): Promise<LockoutVerdict>;
  /** The attempt succeeded: its subject's failures are forgotten. @throws StoreUnavailable */
  succeeded(rule: LockoutRule, subject: string): Promise<void>;
  /** The attempt neither succeeded nor failed: it alone is taken back, and the failures before it stay. */
  removeAttempt(rule: LockoutRule, subject: string): Promise<void>;
}
