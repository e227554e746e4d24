import { afterAll } from 'vitest';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { startTestEngine } from './engine.ts';

/**
 * Creates an empty table for the tests of one file; its engine stops after them. Its client signs requests itself, whichever client the
 * function uses: the SDK takes several times the CPU, and both are tested by one contract
 * (test/platform/table/table-contract.engine.test.ts).
 */
export async function createEmptyTable(): Promise<Table> {
  const engine = await startTestEngine();
  afterAll(async () => await engine.stop());
  return createSignedTable(engine);
}
