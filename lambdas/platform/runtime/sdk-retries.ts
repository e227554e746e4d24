/** Retry strategy of the AWS SDK clients. */

import { systemClock } from './clock.ts';
import { mayWait } from './invocation-deadline.ts';

interface RetryToken {
  readonly getRetryCount: () => number;
  readonly getRetryDelay: () => number;
}

const attempts = 3;
/** Full jitter, as between the attempts of a store call (`lambdas/platform/table/dynamodb-call.ts`). */
const firstBackoffMs = 50;
const longestBackoffMs = 400;

/**
 * The `retryStrategy` of every AWS SDK client: tries a call three times, each call for itself. A throttled call is not a failure: it is repeated
 * while the invocation may wait, because some rates are low (`CreateApiKey` is taken five times a second, `FilterLogEvents` ten times). The SDK's own strategies spend a quota that is kept as long
 * as the function instance: some fifty calls that failed leave none, and then the first connection that died while the instance
 * was frozen fails a call after everything works again.
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
    // The SDK catches this error and throws the last attempt's.
    if (isLast || !(isThrottled || errorType === 'TRANSIENT')) throw new Error('no further attempt');
    return retryToken(made);
  },
  recordSuccess: () => {},
};

function retryToken(made: number): RetryToken {
  const delay = made === 0 ? 0 : Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** made);
  return { getRetryCount: () => made, getRetryDelay: () => delay };
}
