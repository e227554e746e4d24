/** Session epochs of accounts: how often an act has ended all sessions of an account (docs/decisions/0051). */

import type { Table, Write } from '../../platform/table/table.ts';
import { accountSessionsKey } from '../../platform/table/table-keys.ts';

/** Reads the session epoch of an account: 0 until the first act. @throws StoreUnavailable */
export function createSessionEpochs(table: Table): (sub: string) => Promise<number> {
  return async (sub) => Number((await table.get(accountSessionsKey(sub)))?.epoch ?? 0);
}

/** Ends every session of an account, in all LOBs: what was authenticated before counts no longer. */
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
