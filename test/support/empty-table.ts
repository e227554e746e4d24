import { afterAll } from 'vitest';
import type { Table } from '../../lambdas/table/table.ts';
import { startTestEngine, type TestEngine } from './engine.ts';

/**
 * An empty table for the tests of one file: its engine stops after the last of them.
 *
 * @param reach `createSignedTable` or `createSdkTable`
 */
export async function createEmptyTable(reach: (engine: TestEngine) => Table): Promise<Table> {
  const engine = await startTestEngine();
  afterAll(async () => await engine.stop());
  return reach(engine);
}
