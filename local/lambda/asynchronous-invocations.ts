/** Local Lambda: asynchronous invocations and their retries. */

import type { PublishMetric } from '../cloudwatch/metrics.ts';
import { quota } from '../limits/quotas.ts';
import type { InvokeFunction } from './invocation.ts';

/** Lambda's event queue for functions. */
export interface AsynchronousInvocations {
  /** Queues an event and returns at once. */
  send(functionArn: string, payload: string): void;
  /** Cancels all retries. */
  stop(): void;
}

/** Milliseconds before each retry: "Lambda attempts to run it two more times", after a minute, and after two more. */
const retryAfterMs: readonly number[] = [60_000, 120_000];

/**
 * Milliseconds before the first retry of a throttled event, which "is returned to the queue": Lambda waits 1 s, then longer each time, up
 * to 5 minutes, until the event is too old.
 */
const firstThrottledMs = 1_000;
const longestThrottledMs = 300_000;
const longestAgeMs = quota('lambdaEventAge') * 1_000;

interface QueuedEvent {
  readonly functionArn: string;
  readonly payload: string;
  /** Milliseconds since 1970. */
  readonly queuedAt: number;
  readonly failures: number;
  readonly throttles: number;
  /** Milliseconds in the queue because of throttling. */
  readonly waitedMs: number;
}

/**
 * Delivers events to functions as Lambda's asynchronous invocation does. A failed one is retried twice, so that functions that are invoked
 * asynchronously must accept an event several times. A throttled one waits for hours without using up these retries.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export function asynchronousInvocations(deps: {
  readonly invoke: InvokeFunction;
  /** Logs each failed attempt, and each dropped event. */
  readonly log: (line: string) => void;
  /** The fate of the work of a dropped event, as the end of a sentence. */
  readonly afterwards: string;
  readonly now?: () => number;
  readonly publish?: PublishMetric;
}): AsynchronousInvocations {
  const { invoke, log, afterwards, now = Date.now, publish = () => {} } = deps;
  const count = (functionArn: string, metric: string, value: number) =>
    publish('AWS/Lambda', metric, { FunctionName: functionArn.split(':')[6] ?? functionArn }, value);
  const retries = new Set<NodeJS.Timeout>();

  function later(event: QueuedEvent, delayMs: number): void {
    const timer = setTimeout(() => {
      retries.delete(timer);
      void run(event);
    }, delayMs);
    retries.add(timer.unref());
  }

  function failed(event: QueuedEvent, because: string): void {
    const { functionArn, failures } = event;
    const delayMs = retryAfterMs[failures];
    if (delayMs === undefined) {
      count(functionArn, 'AsyncEventsDropped', 1);
      log(`warning: event for ${functionArn}: ${because}; after three tries it is dropped, ${afterwards}`);
      return;
    }
    log(`event for ${functionArn}: ${because}; it is tried again in ${delayMs / 60_000} min`);
    later({ ...event, failures: failures + 1 }, delayMs);
  }

  function throttled(event: QueuedEvent): void {
    const { functionArn, throttles, waitedMs } = event;
    if (waitedMs >= longestAgeMs) {
      count(functionArn, 'AsyncEventsDropped', 1);
      log(`warning: event for ${functionArn}: it was throttled for six hours and is dropped, ${afterwards}`);
      return;
    }
    const delayMs = Math.min(longestThrottledMs, firstThrottledMs * 2 ** throttles);
    later({ ...event, throttles: throttles + 1, waitedMs: waitedMs + delayMs }, delayMs);
  }

  async function run(event: QueuedEvent): Promise<void> {
    count(event.functionArn, 'AsyncEventAge', now() - event.queuedAt);
    try {
      const { functionError } = await invoke(event.functionArn, event.payload);
      if (functionError !== undefined) failed(event, `the function failed (${functionError})`);
    } catch (error) {
      if (error instanceof Error && error.name === 'FunctionThrottled') throttled(event);
      else failed(event, error instanceof Error ? error.message : 'unknown');
    }
  }

  return {
    send: (functionArn, payload) =>
      void run({ functionArn, payload, queuedAt: now(), failures: 0, throttles: 0, waitedMs: 0 }),
    stop() {
      for (const timer of retries) clearTimeout(timer);
      retries.clear();
    },
  };
}
