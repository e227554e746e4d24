/** Links from accounts at plans' identity providers to members, in the environment's table. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import { ConditionFailed, type Table } from '../../platform/table/table.ts';
import {
  memberKey,
  representativeAccountKey,
  representativePartition,
} from '../../platform/table/table-keys.ts';
import type { LinkFederatedAccount } from '../federation/federated-account.ts';
import { findIdentifiedMember } from './member-identifiers.ts';

const storedLink = z.object({ patientId: z.string(), memberId: z.string() });

/**
 * Finds the Patient of a member identifier, after merges.
 *
 * @returns undefined if the member is unknown or withdrawn.
 */
export async function patientOf(
  table: Pick<Table, 'get'>,
  lob: LineOfBusiness,
  memberId: string,
): Promise<string | undefined> {
  const member = await findIdentifiedMember(table, lob, memberId);
  return member?.isWithdrawn === false ? member.patientId : undefined;
}

/**
 * Links accounts at plans' identity providers to members. An existing link changes only if the plan has merged its member into another one.
 */
export function createLinkFederatedAccount(table: Table): LinkFederatedAccount {
  return async (lob, { sub, memberId, displayName }) => {
    const patientId = await patientOf(table, lob, memberId);
    if (patientId === undefined)
      return await linkRepresentative(table, lob, { sub, representativeId: memberId });
    const item = await table.get(memberKey(lob, sub));
    const link = item === undefined ? undefined : storedLink.parse(item);
    if (link?.patientId === patientId && link.memberId === memberId) return 'linked';
    if (link !== undefined && link.patientId !== patientId) {
      const merged = (await patientOf(table, lob, link.memberId)) === patientId;
      if (!merged) return 'other_member';
    }
    try {
      await table.put(
        { ...memberKey(lob, sub), patientId, memberId, displayName },
        link === undefined
          ? { expression: 'attribute_not_exists(pk)' }
          : { expression: 'patientId = :before', values: { ':before': link.patientId } },
      );
      return 'linked';
    } catch (error) {
      // A concurrent sign-in has written a link of this account: it may be to the same member.
      if (!(error instanceof ConditionFailed)) throw error;
      const now = await table.get(memberKey(lob, sub));
      return now?.patientId === patientId ? 'linked' : 'other_member';
    }
  };
}

/** Links an account to a personal representative who is no member. An existing link to another person is not replaced. */
async function linkRepresentative(
  table: Table,
  lob: LineOfBusiness,
  { sub, representativeId }: { readonly sub: string; readonly representativeId: string },
): Promise<Awaited<ReturnType<LinkFederatedAccount>>> {
  const { items } = await table.query({ pk: representativePartition(lob, representativeId), limit: 1 });
  if (items.length === 0) return 'member_unknown';
  const put = { ...representativeAccountKey(lob, sub), representativeId };
  const linked = await conditionHolds(table, [
    {
      put,
      condition: {
        expression: 'attribute_not_exists(pk) OR representativeId = :id',
        values: { ':id': representativeId },
      },
    },
  ]);
  return linked ? 'linked' : 'other_member';
}
