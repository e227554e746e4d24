import * as z from 'zod/mini';
import type { MemberLinks } from '../members/sign-in.ts';
import type { Table } from '../table/table.ts';
import { memberKey } from './table-keys.ts';

const storedMember = z.object({ patientId: z.string(), memberId: z.string(), displayName: z.string() });

/** Finds an account's patient in a LOB; the link is written with the member's load (`member-loader.ts`). */
export function createMemberLinks(table: Table): MemberLinks {
  return {
    async find(lob, sub) {
      const item = await table.get(memberKey(lob, sub));
      if (item === undefined) return undefined;
      return storedMember.parse(item);
    },
  };
}
