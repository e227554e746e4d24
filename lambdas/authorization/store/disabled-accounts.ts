/** DynamoDB adapter of the list of disabled accounts. */

import * as z from 'zod/mini';
import { conditionHolds, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Table } from '../../platform/table/table.ts';
import { disabledAccountKey, disabledAccountPartition } from '../../platform/table/table-keys.ts';
import type { AccountAccess } from '../accounts/account-access.ts';
import type { DisabledAccounts } from '../accounts/disabled-accounts.ts';
import type { IsAccountClosed } from '../oauth/member-account.ts';
import { endedSessions } from './account-sessions-contract.ts';

const listedAccount = z.object({ sk: z.string(), username: z.string(), isDeleted: z.optional(z.boolean()) });

export function createDisabledAccounts(table: Table): DisabledAccounts {
  return {
    async all() {
      const items = await queryAll(table, disabledAccountPartition);
      return items
        .map((item) => listedAccount.parse(item))
        .filter(({ isDeleted }) => isDeleted !== true)
        .map(({ sk, username }) => ({ sub: sk, username }));
    },
    async add({ sub, username }) {
      // Only one of two concurrent sweeps adds the account.
      await conditionHolds(table, [
        putIfAbsent({ ...disabledAccountKey(sub), username }),
        endedSessions(sub),
      ]);
    },
    async remove({ sub }) {
      await table.transact([{ delete: disabledAccountKey(sub) }]);
    },
    async keep({ sub, username }) {
      await table.put({ ...disabledAccountKey(sub), username, isDeleted: true });
    },
  };
}

/** Whether an account is closed, for a refresh: read from the table alone, without a call to the user pool. */
export function createIsClosedToRefresh(
  table: Table,
  access: Pick<AccountAccess, 'patientsOf'>,
): IsAccountClosed {
  return async (lob, { sub, patientId }) => {
    const [patients, disabled] = await Promise.all([
      access.patientsOf(lob, { sub }),
      table.get(disabledAccountKey(sub)),
    ]);
    return disabled !== undefined || !patients.some((patient) => patient.patientId === patientId);
  };
}
