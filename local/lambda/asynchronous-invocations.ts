/** Local Lambda: asynchronous invocations and their retries. */

import type { InvokeFunction } from './invocation.ts';

/** Lambda's queue of events for functions. */
export interface AsynchronousInvocations {
  /** Queues an event and returns at once. */
  send(functionArn: string, payload: string): void;
  /** Cancels all retries. */
  stop(): void;
}

/** "Lambda attempts to run it two more times": after a minute, and after two more. */
const retryAfterMs: readonly number[] = [60_000, 120_000];

/**
 * Hands events to functions as Lambda's asynchronous invocation does: one that fails is tried twice again, so that a function
 * that is called so must take the same event several times.
 *
 * @param log takes one line for each failure.
 * @param afterwards what becomes of the work of an event that is dropped, as the end of a sentence.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export function asynchronousInvocations(
  invoke: InvokeFunction,
  log: (line: string) => void,
  afterwards: string,
): AsynchronousInvocations {
  const retries = new Set<NodeJS.Timeout>();

  function failed(functionArn: string, payload: string, attempt: number, because: string): void {
    const delayMs = retryAfterMs[attempt];
    if (delayMs === undefined) {
      log(`warning: event for ${functionArn}: ${because}; after three tries it is dropped, ${afterwards}`);
      return;
    }
    log(`event for ${functionArn}: ${because}; it is tried again in ${delayMs / 60_000} min`);
    const timer = setTimeout(() => {
      retries.delete(timer);
      void run(functionArn, payload, attempt + 1);
    }, delayMs);
    retries.add(timer.unref());
  }

  async function run(functionArn: string, payload: string, attempt: number): Promise<void> {
    try {
      const { functionError } = await invoke(functionArn, payload);
      if (functionError !== undefined)
        failed(functionArn, payload, attempt, `the function failed (${functionError})`);
    } catch (error) {
      failed(functionArn, payload, attempt, error instanceof Error ? error.message : 'unknown');
    }
  }

  return {
    send: (functionArn, payload) => void run(functionArn, payload, 0),
    stop() {
      for (const timer of retries) clearTimeout(timer);
      retries.clear();
    },
  };
}
