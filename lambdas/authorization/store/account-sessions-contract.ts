/** Session epochs: how often all sessions of an account have been ended (docs/decisions/0051). */

import type { Table, Write } from '../../platform/table/table.ts';
import { accountSessionsKey } from '../../platform/table/table-keys.ts';

/**
 * Reads the session epoch of an account; 0 if its sessions have never been ended.
 *
 * @throws StoreUnavailable
 */
export function createSessionEpochs(table: Table): (sub: string) => Promise<number> {
  return async (sub) => Number((await table.get(accountSessionsKey(sub)))?.epoch ?? 0);
}

/** The write that ends every session of an account, in all LOBs, by raising its epoch. */
export function endedSessions(sub: string): Write {
  return {
    update: {
      key: accountSessionsKey(sub),
      expression: 'ADD epoch :one',
      condition: 'attribute_not_exists(epoch) OR epoch >= :one',
      values: { ':one': 1 },
    },
  };
}
