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
  ): Promise<
    { readonly patientId: string; readonly memberId: string; readonly displayName: string } | undefined
  >;
}

/** Growing delays after failures, by name. Adapter: `lambdas/storage/rate-store.ts`. */
export interface SignInAttempts {
  /**
   * Counts an attempt as failed before it is made.
   *
   * @param name a name as it is normalised, whether there is such an account or not.
   */
  begin(
    lob: LineOfBusiness,
    name: string,
  ): Promise<
    | { readonly allowed: true; readonly failures: number }
    | { readonly allowed: false; readonly retryAfterSeconds: number }
  >;
}

export type SignInAnswer =
  | {
      readonly member: { readonly sub: string; readonly patientId: string; readonly displayName: string };
      /** The name the attempts are counted under: who signed in for good has them forgotten by it. */
      readonly name: string;
      readonly failures: number;
    }
  | { readonly refusal: 'refused' | 'not_covered' | 'unavailable' }
  | { readonly refusal: 'locked'; readonly retryAfterSeconds: number };

/** No name or password of ours is longer (`ingest-contract.ts`); longer text doesn't reach the directory. */
const longest = { username: 254, password: 128 } as const;

/**
 * Signs a member in to one LOB: account first, coverage then, so that a stranger learns nothing of either. A name with too
 * many failures is not looked up at all, known or not.
 */
export function createSignIn(directory: MemberDirectory, links: MemberLinks, attempts: SignInAttempts) {
  return async (lob: LineOfBusiness, username: string, password: string): Promise<SignInAnswer> => {
    const name = normalizedUsername(username);
    if (name === '' || name.length > longest.username) return { refusal: 'refused' };
    if (password === '' || password.length > longest.password) return { refusal: 'refused' };
    const attempt = await attempts.begin(lob, name);
    if (!attempt.allowed) return { refusal: 'locked', retryAfterSeconds: attempt.retryAfterSeconds };
    const account = await directory.signIn(name, password);
    if (account === 'refused' || account === 'unavailable') return { refusal: account };
    const link = await links.find(lob, account.sub);
    if (link === undefined) return { refusal: 'not_covered' };
    const member = { sub: account.sub, patientId: link.patientId, displayName: link.displayName };
    return { member, name, failures: attempt.failures };
  };
}

/** A member id is uppercase letters and digits, often typed with spaces or in lowercase; an e-mail address is stored in lowercase. */
export function normalizedUsername(typed: string): string {
  const text = typed.trim();
  return text.includes('@') ? text.toLowerCase() : text.replace(/[\s-]/g, '').toUpperCase();
}
