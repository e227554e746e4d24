/** Port of the store of verification codes. The adapter is `portal/adapters/verification-code-store.ts`. */

import type { Destination } from './account.ts';

/** A code that was sent, as the table has it. Times are seconds since 1970. */
export interface SentCode {
  /** Keyed digest of the code, its account and its purpose. The code itself is not stored. */
  readonly mac: string;
  readonly destination: Destination;
  readonly sentAt: number;
  readonly expiresAt: number;
  /** Number of tries so far, right or wrong. */
  readonly tries: number;
}

export type CodePurpose =
  | 'sign_up_email'
  | 'sign_up_phone'
  | 'sign_in'
  | 'password_reset'
  | 'change_email'
  | 'change_phone';

/** Identifies a code that matched, for the transaction that uses it up. */
export interface CodeUse {
  readonly owner: string;
  readonly purpose: CodePurpose;
  readonly code: SentCode;
}

/**
 * The store of verification codes: at most one live code for each owner and purpose. `owner`: an account ID, or a digest that replaces it
 * for an address without an account.
 */
export interface CodeStore {
  find(owner: string, purpose: CodePurpose): Promise<SentCode | undefined>;
  /**
   * Stores a new code in place of the previous one.
   *
   * @returns false where another code was sent after `notBefore`.
   */
  replace(owner: string, purpose: CodePurpose, code: SentCode, notBefore: number): Promise<boolean>;
  /**
   * Counts a try before the code is compared. At most `portalLimits.codeTries` tries are counted, concurrent ones included.
   *
   * @returns the code with this try counted; undefined if there is no code, it has expired, or its tries are used up.
   */
  attempt(owner: string, purpose: CodePurpose, nowSeconds: number): Promise<SentCode | undefined>;
  /**
   * Marks a time step of an authenticator app as used.
   *
   * @returns false where this step or a later one was used before.
   */
  useStep(accountId: string, step: number): Promise<boolean>;
  /**
   * Uses up a code.
   *
   * @returns false where the code was used or replaced meanwhile, or has expired.
   */
  use(use: CodeUse, nowSeconds: number): Promise<boolean>;
}
