import type { LineOfBusiness } from '../catalog/lines-of-business.ts';

/** Members' accounts, by user name and password. Adapter: `lambdas/identity/cognito-member-directory.ts`. */
export interface MemberDirectory {
  /**
   * @param username a member id in uppercase, or an e-mail address in lowercase.
   * @returns the account's subject; `refused` for whatever must not be told apart (unknown, wrong password, disabled,
   *   locked, no password set yet); `unavailable` where nothing was decided.
   */
  signIn(username: string, password: string): Promise<{ readonly sub: string } | 'refused' | 'unavailable'>;
}

export interface MemberLinks {
  /** @returns undefined where the account has no plan in the LOB. */
  find(
    lob: LineOfBusiness,
    sub: string,
  ): Promise<{ readonly patientId: string; readonly displayName: string } | undefined>;
}

export type SignInAnswer =
  | { readonly member: { readonly sub: string; readonly patientId: string; readonly displayName: string } }
  | { readonly refusal: 'refused' | 'not_covered' | 'unavailable' };

/** No name or password of ours is longer (`ingest-contract.ts`); longer text doesn't reach the directory. */
const longest = { username: 254, password: 128 } as const;

/** Signs a member in to one LOB: account first, coverage then, so that a stranger learns nothing of either. */
export function createSignIn(directory: MemberDirectory, links: MemberLinks) {
  return async (lob: LineOfBusiness, username: string, password: string): Promise<SignInAnswer> => {
    const name = normalizedUsername(username);
    if (name === '' || name.length > longest.username) return { refusal: 'refused' };
    if (password === '' || password.length > longest.password) return { refusal: 'refused' };
    const account = await directory.signIn(name, password);
    if (account === 'refused' || account === 'unavailable') return { refusal: account };
    const link = await links.find(lob, account.sub);
    return link === undefined ? { refusal: 'not_covered' } : { member: { sub: account.sub, ...link } };
  };
}

/** A member id is uppercase letters and digits, often typed with spaces or in lowercase; an e-mail address is stored in lowercase. */
export function normalizedUsername(typed: string): string {
  const text = typed.trim();
  return text.includes('@') ? text.toLowerCase() : text.replace(/[\s-]/g, '').toUpperCase();
}
