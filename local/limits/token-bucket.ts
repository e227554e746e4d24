/** A token bucket: refilled at a rate, never above its burst size. */
export interface TokenBucket {
  /** Takes a token; false if there is none. */
  take(now: number): boolean;
}

/**
 * Makes a bucket by API Gateway's token bucket algorithm, with one token for each request ("Throttle requests to your REST APIs").
 *
 * @param now milliseconds since 1970.
 */
export function createTokenBucket(ratePerSecond: number, burst: number, now: number): TokenBucket {
  let tokens = burst;
  let refilledAt = now;
  return {
    take(time) {
      tokens = Math.min(burst, tokens + (Math.max(0, time - refilledAt) / 1000) * ratePerSecond);
      // If the clock was set back, the bucket refills from the new time, so that callers don't have to wait until the old time.
      refilledAt = time;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
