import { lineOfBusinessCodes } from '../catalog/lines-of-business.ts';
import type { AccountLinks } from '../oauth/activation/activation-services.ts';
import { conditionHolds } from '../table/conditional-writes.ts';
import type { Table } from '../table/table.ts';
import { accountLinksKey, memberKey } from './table-keys.ts';

/**
 * Links of accounts to patients in all LOBs. One counter for each user name orders their additions: of two that were decided on by the same
 * links, one is written.
 */
export function createAccountLinks(table: Table): AccountLinks {
  return {
    async find(sub, username) {
      const counter = await table.get(accountLinksKey(username));
      const items = await table.batchGet(lineOfBusinessCodes.map((lob) => memberKey(lob, sub)));
      const links = items.flatMap((item, at) => {
        const lob = lineOfBusinessCodes[at];
        if (item === undefined || lob === undefined) return [];
        const memberId = String(item.planMemberId ?? item.memberId);
        return [{ lob, patientId: String(item.patientId), memberId }];
      });
      return { links, added: Number(counter?.added ?? 0) };
    },
    async add({ lob, sub, username, patientId, memberId, displayName }, added) {
      const counter = {
        key: accountLinksKey(username),
        expression: 'SET added = :next',
        condition: added === 0 ? 'attribute_not_exists(pk)' : 'added = :added',
        values: { ':next': added + 1, ...(added !== 0 && { ':added': added }) },
      };
      const spelling = memberId === username ? {} : { planMemberId: memberId };
      const link = {
        put: { ...memberKey(lob, sub), patientId, memberId: username, displayName, ...spelling },
        condition: {
          expression: 'attribute_not_exists(pk) OR patientId = :patientId',
          values: { ':patientId': patientId },
        },
      };
      return await conditionHolds(table, [{ update: counter }, link]);
    },
  };
}
