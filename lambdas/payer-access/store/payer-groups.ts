/** Stores the groups of matched members, by application. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Table } from '../../platform/table/table.ts';
import { payerGroupKey, payerGroupPartition } from '../../platform/table/table-keys.ts';
import { matchGroupCodes } from '../permission/match-groups.ts';
import type { PayerGroup, PayerGroups } from '../permission/payer-group-port.ts';

const groupItem = z.object({
  groupId: z.string(),
  clientId: z.string(),
  code: z.enum(matchGroupCodes),
  jobId: z.string(),
  quantity: z.number(),
  createdAt: z.string(),
  expiresAt: z.number(),
});

export function createPayerGroups(table: Table, lob: LineOfBusiness, now: Clock): PayerGroups {
  const isCurrent = ({ expiresAt }: PayerGroup) => expiresAt > now() / 1000;
  return {
    async save(group) {
      const { clientId, groupId, expiresAt } = group;
      await table.put({ ...payerGroupKey(lob, clientId, groupId), ...group, ttl: expiresAt });
    },

    async group(clientId, groupId) {
      const item = await table.get(payerGroupKey(lob, clientId, groupId));
      const group = item && groupItem.parse(item);
      return group !== undefined && isCurrent(group) ? group : undefined;
    },

    async groups(clientId) {
      const items = await queryAll(table, payerGroupPartition(lob, clientId));
      return items
        .map((item): PayerGroup => groupItem.parse(item))
        .filter(isCurrent)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },
  };
}
