import { conditionHolds, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Table } from '../../platform/table/table.ts';
import { usedBotCheckKey } from './portal-table-keys.ts';

/**
 * Marks the answer to a bot check as used, which succeeds once.
 *
 * @param expiresAt seconds since 1970; later answers are refused as expired
 */
export function createUsedBotChecks(table: Table) {
  return async (sha256: string, expiresAt: number): Promise<boolean> =>
    await conditionHolds(table, [putIfAbsent({ ...usedBotCheckKey(sha256), ttl: Math.ceil(expiresAt) })]);
}
