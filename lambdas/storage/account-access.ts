import type { AccountAccess } from '../members/account-access.ts';
import type { MemberLinks } from '../members/sign-in.ts';

/** What an account may share in an LOB, over the table. */
export function createAccountAccess(links: MemberLinks): AccountAccess {
  return {
    async patientsOf(lob, { sub }) {
      const own = await links.find(lob, sub);
      return own === undefined ? [] : [{ ...own, relationship: 'self' }];
    },
  };
}
