/**
 * Timeouts of every test. They are long, since ten busy processes make a test ten times slower and tests must not fail for that: only a
 * test that hangs is reported, late. `expect.poll` usually waits for an answer that takes milliseconds.
 */
export const patience = {
  testTimeout: 300_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
} as const;
