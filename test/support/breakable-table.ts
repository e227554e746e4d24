import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { startTestEngine, testCredentials } from './engine.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

/**
 * One table with two clients: calls of `table` never fail; calls of `breakable` meet the faults planned in `proxy` and are retried at once.
 */
export interface BreakableTable {
  readonly table: Table;
  readonly breakable: Table;
  readonly proxy: FaultyProxy;
  stop(): Promise<void>;
}

export async function startBreakableTable(): Promise<BreakableTable> {
  const engine = await startTestEngine();
  const { tableName } = engine;
  const proxy = await startFaultyProxy(engine.endpoint);
  return {
    table: createSignedTable(engine),
    breakable: createSignedTable({
      tableName,
      access: { endpoint: proxy.endpoint, region: 'us-east-1', ...testCredentials },
      patience: { random: () => 0, sleep: async () => undefined },
    }),
    proxy,
    async stop() {
      await proxy.stop();
      await engine.stop();
    },
  };
}
