/** Retries for functions that nobody waits for at a page: their store calls wait as long as the invocation's time allows. */

import { systemClock } from '../runtime/clock.ts';
import { mayWait } from '../runtime/invocation-deadline.ts';
import { adaptivePace } from './adaptive-pace.ts';
import { type RetryTiming, systemRetryTiming } from './dynamodb-call.ts';

/** Maximum concurrent store calls of a function instance: as many as keep its processor busy during the calls. */
const callsAtOnce = 32;

/** Repeats a throttled or unanswered call until a minute before the invocation ends, with an adaptive limit of concurrent calls. */
export const backgroundPatience: RetryTiming = {
  ...systemRetryTiming,
  mayWait: () => mayWait(systemClock()),
  pace: adaptivePace(callsAtOnce, systemClock),
};
