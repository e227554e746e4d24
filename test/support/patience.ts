/**
 * Timeouts of every test. None is judged by how fast a machine is unless it says so, and ten busy processes beside a test make all it does ten
 * times slower: what hangs is told late, and what is slow is not told at all. An expectation that polls waits for an answer of milliseconds.
 */
export const patience = {
  testTimeout: 300_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
} as const;
