import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import type { Item, Table, Write } from '../../platform/table/table.ts';
import { accountLinksKey, memberKey, representativeAccountKey } from '../../platform/table/table-keys.ts';
import type { AccountLink, AccountLinks } from '../activation/activation-services.ts';
import { endedSessions } from './account-sessions-contract.ts';

/**
 * Links accounts to patients and representatives in all LOBs. A counter per user name makes additions exclusive: of two additions based on
 * the same links, only one is written.
 */
export function createAccountLinks(table: Table): AccountLinks {
  return {
    async find(sub, username) {
      const counter = await table.get(accountLinksKey(username));
      const items = await table.batchGet(
        lineOfBusinessCodes.flatMap((lob) => [memberKey(lob, sub), representativeAccountKey(lob, sub)]),
      );
      const links = lineOfBusinessCodes.flatMap((lob, at): readonly AccountLink[] => {
        const [own, representative] = items.slice(2 * at, 2 * at + 2);
        return [
          ...(own === undefined ? [] : [ownLink(lob, own)]),
          ...(representative === undefined
            ? []
            : [{ lob, isRepresentative: true, memberId: String(representative.representativeId) } as const]),
        ];
      });
      return { links, added: Number(counter?.added ?? 0) };
    },
    async add(link, added) {
      const { username } = link;
      const counter = {
        key: accountLinksKey(username),
        expression: 'SET added = :next',
        condition: added === 0 ? 'attribute_not_exists(pk)' : 'added = :added',
        values: { ':next': added + 1, ...(added !== 0 && { ':added': added }) },
      };
      return await conditionHolds(table, [{ update: counter }, linkWrite(link), endedSessions(link.sub)]);
    },
  };
}

function ownLink(lob: LineOfBusiness, item: Item): AccountLink {
  const memberId = String(item.planMemberId ?? item.memberId);
  return { lob, isRepresentative: false, patientId: String(item.patientId), memberId };
}

/** Writes a link. An existing link to another patient or representative is not replaced. */
function linkWrite(link: Parameters<AccountLinks['add']>[0]): Write {
  const { lob, sub, username, memberId, displayName } = link;
  if (link.isRepresentative) {
    return {
      put: { ...representativeAccountKey(lob, sub), representativeId: memberId },
      condition: {
        expression: 'attribute_not_exists(pk) OR representativeId = :id',
        values: { ':id': memberId },
      },
    };
  }
  const { patientId } = link;
  const spelling = memberId === username ? {} : { planMemberId: memberId };
  return {
    put: { ...memberKey(lob, sub), patientId, memberId: username, displayName, ...spelling },
    condition: {
      expression: 'attribute_not_exists(pk) OR patientId = :patientId',
      values: { ':patientId': patientId },
    },
  };
}
