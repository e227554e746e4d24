type StoreCalls = typeof import('../../lambdas/platform/table/dynamodb-call.ts');

/** Timeouts of a store call: long enough for a busy machine, and short if the test plans no answer. */
const usualMs = 20_000;
const inSilenceMs = 300;
const waits = { ms: usualMs };

/** Told by the proxy that breaks calls (faulty-proxy.ts). */
export function expectSilence(silence: boolean): void {
  waits.ms = silence ? inSilenceMs : usualMs;
}

/** For `vi.mock`: a store that says nothing is given up sooner, and one that is slow is not. */
export function withTestTimeouts(calls: StoreCalls): StoreCalls {
  return {
    ...calls,
    get attemptTimeoutMs() {
      return waits.ms as typeof calls.attemptTimeoutMs;
    },
  };
}

/** The same; and what failed is tried again at once. */
export function withTestTimeoutsAndInstantRetries(calls: StoreCalls): StoreCalls {
  const patience = { random: () => 0, sleep: async () => undefined };
  return Object.defineProperty(withTestTimeouts(calls), 'patience', { value: patience, enumerable: true });
}
