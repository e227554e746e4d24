import { created, holds } from './conditional-writes.ts';
import { usedBotCheckKey } from './portal-keys.ts';
import type { Table } from './table.ts';

/** Counts the answer to a bot check once. @param expiresAt seconds since 1970: after it the answer is too old anyway. */
export function createUsedBotChecks(table: Table) {
  return async (sha256: string, expiresAt: number): Promise<boolean> =>
    await holds(table, [created({ ...usedBotCheckKey(sha256), ttl: Math.ceil(expiresAt) })]);
}
