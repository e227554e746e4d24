import { conditionHolds, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Table } from '../../platform/table/table.ts';
import { usedBotCheckKey } from './portal-table-keys.ts';

/** Counts the answer to a bot check once. @param expiresAt seconds since 1970: after it the answer is too old anyway. */
export function createUsedBotChecks(table: Table) {
  return async (sha256: string, expiresAt: number): Promise<boolean> =>
    await conditionHolds(table, [putIfAbsent({ ...usedBotCheckKey(sha256), ttl: Math.ceil(expiresAt) })]);
}
