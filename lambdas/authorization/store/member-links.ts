/** Reads the links from accounts to their Patient in each LOB, or to their holder as a representative. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { isFederatedSubject } from '../../catalog/oauth/identity-providers.ts';
import type { Table } from '../../platform/table/table.ts';
import { memberKey, representativeAccountKey } from '../../platform/table/table-keys.ts';
import type { MemberLinks } from '../accounts/sign-in.ts';
import { patientOf } from './federated-links.ts';

const storedMember = z.object({
  patientId: z.string(),
  memberId: z.string(),
  displayName: z.string(),
  planMemberId: z.optional(z.string()),
});

/** Finds the patient that an account is linked to in a LOB. The load of a member writes the link (`member-loader.ts`). */
export function createMemberLinks(table: Table): MemberLinks {
  return {
    async find(lob, sub) {
      const item = await table.get(memberKey(lob, sub));
      if (item === undefined) return undefined;
      const link = storedMember.parse(item);
      // A federated account is in no user pool: it ends when the plan withdraws or merges the member.
      if (isFederatedSubject(sub) && (await patientOf(table, lob, link.memberId)) !== link.patientId)
        return undefined;
      return link;
    },
  };
}

/** Finds the plan's identifier of an account holder who is a personal representative and no member. */
export function createRepresentativeLinks(table: Pick<Table, 'get'>) {
  return async (lob: LineOfBusiness, sub: string): Promise<string | undefined> => {
    const item = await table.get(representativeAccountKey(lob, sub));
    return item === undefined ? undefined : String(item.representativeId);
  };
}
