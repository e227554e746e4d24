/** Verifies a member's user name and password, within the limits of failed attempts. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { LockoutVerdict } from '../../platform/kernel/rates.ts';
import type { AccountAccess, SharablePatient } from './account-access.ts';

export type AccountLookup =
  | { readonly kind: 'found'; readonly sub: string }
  | { readonly kind: 'unknown' }
  /** The directory did not answer. */
  | { readonly kind: 'unavailable' };

export type PasswordVerdict =
  | { readonly kind: 'verified'; readonly sub: string }
  | { readonly kind: 'refused' }
  /** The directory did not answer; the password was not verified. */
  | { readonly kind: 'unavailable' };

/** Members' accounts, by user name and password. Adapter: `lambdas/authorization/aws/cognito-member-directory.ts`. */
export interface MemberDirectory {
  /**
   * Finds the account of a user name: a member ID or an e-mail address.
   *
   * @param username as for `signIn`.
   */
  find(username: string): Promise<AccountLookup>;
  /**
   * Verifies a password.
   *
   * @param username a member ID in uppercase, or an e-mail address in lowercase.
   * @returns `refused` for every refusal that must look alike (unknown, wrong password, disabled, locked, no password set yet).
   */
  signIn(username: string, password: string): Promise<PasswordVerdict>;
}

export interface MemberLinks {
  /**
   * Finds the patient that an account is linked to.
   *
   * @returns undefined if the account has no plan in the LOB.
   */
  find(
    lob: LineOfBusiness,
    sub: string,
  ): Promise<
    | {
        readonly patientId: string;
        /** Member ID, which is the user name of the account. */
        readonly memberId: string;
        readonly displayName: string;
        /** Member identifier in the plan's spelling, if the user name differs from it. */
        readonly planMemberId?: string | undefined;
      }
    | undefined
  >;
}

/** Limits of failed sign-ins, in all LOBs together. Adapter: `lambdas/authorization/store/sign-in-limits.ts`. */
export interface SignInAttempts {
  /**
   * Counts an attempt as failed before the password is tried.
   *
   * @param account the account's subject; for an unknown account, the normalized user name.
   * @param address the caller's.
   */
  begin(account: string, address: string): Promise<LockoutVerdict>;
  /** Removes an attempt whose password was right from the count of the address. */
  forgetAddressFailure(address: string): Promise<void>;
}

export type SignInAnswer =
  | {
      readonly kind: 'verified';
      readonly account: {
        readonly sub: string;
        readonly sessionEpoch: number;
        readonly patients: readonly SharablePatient[];
      };
      /** Name that attempts are counted under; its failures are cleared when the sign-in completes. */
      readonly name: string;
      readonly failures: number;
    }
  | { readonly kind: 'refusal'; readonly refusal: 'refused' | 'not_covered' | 'unavailable' }
  | { readonly kind: 'refusal'; readonly refusal: 'locked'; readonly retryAfterSeconds: number };

/** Maximum lengths of a user name and a password (`ingest-contract.ts`). Longer input is refused without asking the directory. */
const longest = { username: 254, password: 128 } as const;

/**
 * Signs a member in to one LOB. A right password is refused if the account may share nothing in that LOB: the refusal takes as much work as
 * one of a wrong password and must look the same, or an LOB would reveal which passwords are right. Failures are counted per account,
 * across all its user names and LOBs, and per address; after too many, no password is tried.
 */
export function createSignIn(directory: MemberDirectory, access: AccountAccess, attempts: SignInAttempts) {
  return async (
    lob: LineOfBusiness,
    username: string,
    password: string,
    address: string,
  ): Promise<SignInAnswer> => {
    const name = normalizedUsername(username);
    if (name === '' || name.length > longest.username) return refuse('refused');
    if (password === '' || password.length > longest.password) return refuse('refused');
    const known = await directory.find(name);
    if (known.kind === 'unavailable') return refuse('unavailable');
    const account = known.kind === 'unknown' ? name : known.sub;
    // Reads the epoch before the password is tried: if the password is replaced meanwhile, the session gets the earlier epoch and is over.
    const [attempt, sessionEpoch] = await Promise.all([
      attempts.begin(account, address),
      access.sessionEpochOf(account),
    ]);
    if (attempt.kind === 'limited')
      return { kind: 'refusal', refusal: 'locked', retryAfterSeconds: attempt.retryAfterSeconds };
    // Reads access even after a wrong password or for an unknown name, so that the response time reveals nothing.
    const [answer, patients] = await Promise.all([
      directory.signIn(name, password),
      access.patientsOf(lob, { sub: account }),
    ]);
    if (answer.kind !== 'verified') return refuse(answer.kind);
    if (patients.length === 0 || answer.sub !== account) return refuse('not_covered');
    await attempts.forgetAddressFailure(address);
    return {
      kind: 'verified',
      account: { sub: account, sessionEpoch, patients },
      name: account,
      failures: attempt.failures,
    };
  };
}

function refuse(refusal: 'refused' | 'not_covered' | 'unavailable'): SignInAnswer {
  return { kind: 'refusal', refusal };
}

/**
 * Normalizes a user name. A member id is uppercase letters and digits, often typed with spaces or in lowercase; an e-mail address is stored
 * in lowercase.
 */
export function normalizedUsername(typed: string): string {
  const text = typed.trim();
  return text.includes('@') ? text.toLowerCase() : text.replace(/[\s-]/g, '').toUpperCase();
}
