import { vi } from 'vitest';

/**
 * Before each file of the engine's tests: on a busy machine an answer may take longer than the second a function waits, and what is
 * repeated then counts twice. That it waits a second and no longer is tried by itself (table-contract.engine.test.ts).
 */
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('./store-waits.ts')).withTestTimeouts(await original()),
);
