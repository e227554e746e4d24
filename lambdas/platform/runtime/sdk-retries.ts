/** Retry strategy of the AWS SDK clients. */

import { systemClock } from './clock.ts';
import { mayWait } from './invocation-deadline.ts';

interface RetryToken {
  readonly getRetryCount: () => number;
  readonly getRetryDelay: () => number;
}

const attempts = 3;
/** Milliseconds of the first delay, with full jitter as in `lambdas/platform/table/dynamodb-call.ts`. */
const firstBackoffMs = 50;
const longestBackoffMs = 400;

/**
 * The `retryStrategy` of every AWS SDK client: three attempts for each call. A throttled call is repeated for as long as the invocation may
 * wait, because some quotas are low (`CreateApiKey` five times a second, `FilterLogEvents` ten times).
 *
 * The SDK's own strategies have a retry quota that lasts as long as the function instance. About fifty failed calls use it up; then a call
 * fails on the first connection that died while the instance was frozen, even after the service has recovered.
 */
export const sdkRetries = {
  acquireInitialRetryToken: async () => retryToken(0),
  async refreshRetryTokenForRetry(
    token: RetryToken,
    { errorType }: { readonly errorType: string },
  ): Promise<RetryToken> {
    const made = token.getRetryCount() + 1;
    const isThrottled = errorType === 'THROTTLING';
    const isLast = made >= attempts && !(isThrottled && mayWait(systemClock()));
    // The SDK catches this error and throws that of the last attempt.
    if (isLast || !(isThrottled || errorType === 'TRANSIENT')) throw new Error('no further attempt');
    return retryToken(made);
  },
  recordSuccess: () => {},
};

function retryToken(made: number): RetryToken {
  const delay = made === 0 ? 0 : Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** made);
  return { getRetryCount: () => made, getRetryDelay: () => delay };
}
