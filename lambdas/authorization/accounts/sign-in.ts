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
  /** The directory did not answer; nothing was decided. */
  | { readonly kind: 'unavailable' };

/** Members' accounts, by user name and password. Adapter: `lambdas/authorization/aws/cognito-member-directory.ts`. */
export interface MemberDirectory {
  /**
   * Finds the account that a name signs in, whichever of its names it is.
   *
   * @param username as for `signIn`.
   */
  find(username: string): Promise<AccountLookup>;
  /**
   * @param username a member id in uppercase, or an e-mail address in lowercase.
   * @returns `refused` for every refusal that must look alike (unknown, wrong password, disabled, locked, no password set yet).
   */
  signIn(username: string, password: string): Promise<PasswordVerdict>;
}

export interface MemberLinks {
  /** @returns undefined where the account has no plan in the LOB. */
  find(
    lob: LineOfBusiness,
    sub: string,
  ): Promise<
    | {
        readonly patientId: string;
        /** User name of the account. */
        readonly memberId: string;
        readonly displayName: string;
        /** Identifier in the plan's spelling, where the user name differs from it. */
        readonly planMemberId?: string | undefined;
      }
    | undefined
  >;
}

/** Limits of failed sign-ins, in all LOBs together. Adapter: `lambdas/authorization/store/sign-in-limits.ts`. */
export interface SignInAttempts {
  /**
   * Counts an attempt as failed before it is made.
   *
   * @param account the account's subject, or where there is no such account the name as it is normalised.
   * @param address the caller's.
   */
  begin(account: string, address: string): Promise<LockoutVerdict>;
  /** The password was right: the attempt no longer counts against the address. */
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
      /** The name under which attempts are counted, and forgotten after a completed sign-in. */
      readonly name: string;
      readonly failures: number;
    }
  | { readonly kind: 'refusal'; readonly refusal: 'refused' | 'not_covered' | 'unavailable' }
  | { readonly kind: 'refusal'; readonly refusal: 'locked'; readonly retryAfterSeconds: number };

/** Longest name or password (`ingest-contract.ts`); longer text is not sent to the directory. */
const longest = { username: 254, password: 128 } as const;

/**
 * Signs a member in to one LOB. A right password at an LOB where its owner may share nothing counts as a wrong one, takes as much
 * work, and is to be answered like one: else each LOB would tell which passwords are right. Failures count per account, under
 * whichever of its names and at whichever LOB, and per address; after too many no password is tried.
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
    // Reads the epoch before the password is tried: a session by a password that is replaced meanwhile has the earlier epoch.
    const [attempt, sessionEpoch] = await Promise.all([
      attempts.begin(account, address),
      access.sessionEpochOf(account),
    ]);
    if (attempt.kind === 'limited')
      return { kind: 'refusal', refusal: 'locked', retryAfterSeconds: attempt.retryAfterSeconds };
    // Reads access after a wrong password and for an unknown name too, so that the work tells nothing.
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

/** Normalizes a user name. A member id is uppercase letters and digits, often typed with spaces or in lowercase; an e-mail address is stored in lowercase. */
export function normalizedUsername(typed: string): string {
  const text = typed.trim();
  return text.includes('@') ? text.toLowerCase() : text.replace(/[\s-]/g, '').toUpperCase();
}
