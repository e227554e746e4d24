import { afterAll } from 'vitest';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { startTestEngine } from './engine.ts';

/**
 * An empty table for the tests of one file: its engine stops after the last of them. It signs its requests itself, whatever adapter the function
 * has: a call through the SDK costs several times the CPU, and one contract holds for both (test/platform/table/table-contract.engine.test.ts).
 */
export async function createEmptyTable(): Promise<Table> {
  const engine = await startTestEngine();
  afterAll(async () => await engine.stop());
  return createSignedTable(engine);
}
