type StoreCalls = typeof import('../../lambdas/platform/table/dynamodb-call.ts');

/** Timeouts of a store call in tests: long enough for a busy machine, and short while a test plans that no answer comes. */
const usualMs = 20_000;
const inSilenceMs = 300;
const waits = { ms: usualMs };

/**
 * Sets the timeout. Called by the proxy that breaks calls (faulty-proxy.ts).
 *
 * @param silence whether a planned fault gives no answer
 */
export function expectSilence(silence: boolean): void {
  waits.ms = silence ? inSilenceMs : usualMs;
}

/** For `vi.mock`: replaces the timeout of a store call by those above. */
export function withTestTimeouts(calls: StoreCalls): StoreCalls {
  return {
    ...calls,
    get attemptTimeoutMs() {
      return waits.ms as typeof calls.attemptTimeoutMs;
    },
  };
}

/** Does the same, and makes retries instant. */
export function withTestTimeoutsAndInstantRetries(calls: StoreCalls): StoreCalls {
  const patience = { random: () => 0, sleep: async () => undefined };
  return Object.defineProperty(withTestTimeouts(calls), 'patience', { value: patience, enumerable: true });
}
