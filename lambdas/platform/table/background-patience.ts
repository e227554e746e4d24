/** Patience of functions that no caller waits for at a page: their store calls wait as long as their time allows. */

import { systemClock } from '../runtime/clock.ts';
import { mayWait } from '../runtime/invocation-deadline.ts';
import { adaptivePace } from './adaptive-pace.ts';
import { type RetryTiming, systemRetryTiming } from './dynamodb-call.ts';

/** Store calls of one function instance at once, at most: what hides the store's round trips on one processor. */
const callsAtOnce = 32;

/** A throttled call, or one that a busy store does not answer, is no failure: it is tried again until a minute before the invocation ends, at a pace that adapts. */
export const backgroundPatience: RetryTiming = {
  ...systemRetryTiming,
  mayWait: () => mayWait(systemClock()),
  pace: adaptivePace(callsAtOnce, systemClock),
};
