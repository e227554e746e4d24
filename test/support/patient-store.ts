import { vi } from 'vitest';

/**
 * Setup of each file of engine tests: lengthens the second that a function waits for the store. On a busy machine an answer may take
 * longer, and a repeated call would be counted twice. The real timeout is tested in table-contract.engine.test.ts.
 */
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('./store-waits.ts')).withTestTimeouts(await original()),
);
