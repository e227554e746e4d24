/** A token bucket: refilled at a rate, never above its burst. */
export interface TokenBucket {
  /** Takes a token; false where there is none. */
  take(now: number): boolean;
}

/**
 * "Throttle requests to your REST APIs": API Gateway's token bucket algorithm, a token counts for a request.
 *
 * @param now milliseconds since 1970.
 */
export function createTokenBucket(ratePerSecond: number, burst: number, now: number): TokenBucket {
  let tokens = burst;
  let refilledAt = now;
  return {
    take(time) {
      tokens = Math.min(burst, tokens + (Math.max(0, time - refilledAt) / 1000) * ratePerSecond);
      // After the clock was set back, the bucket refills from the new time, so that no caller waits for the old one.
      refilledAt = time;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
