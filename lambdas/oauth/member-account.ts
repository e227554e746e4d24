import type { LineOfBusiness } from '../catalog/lines-of-business.ts';

/** Members' accounts as the authorization server needs them. Adapters: `lambdas/members/sign-in.ts`, `lambdas/aws`. */

/** A member whose password is verified, as one LOB knows them. */
export interface SignedInMember {
  /** Opaque subject id of the member's account. */
  readonly sub: string;
  readonly patientId: string;
  readonly displayName: string;
}

/**
 * Whether the account of a member could sign in now, and still belongs to that patient. False too where the directory doesn't
 * answer: the password would be of no use then either.
 */
export type IsAccountActive = (lob: LineOfBusiness, member: SignedInMember) => Promise<boolean>;

/**
 * Whether the account of a member is disabled or deleted, or belongs to another patient. A password reset ends no grant.
 *
 * @throws StoreUnavailable where the directory doesn't answer.
 */
export type IsAccountClosed = (
  lob: LineOfBusiness,
  member: Pick<SignedInMember, 'sub' | 'patientId'>,
) => Promise<boolean>;

/**
 * - `refused`: unknown, wrong password, disabled or locked; indistinguishable.
 * - `not_covered`: the account is right and has no plan in this LOB. For the record alone: the page answers as to `refused`.
 * - `unavailable`: the directory did not answer; nothing was decided.
 * - `locked`: too many failures of this account, known or not, or from this address; no password was tried.
 */
export type SignInRefusal = 'refused' | 'not_covered' | 'unavailable' | 'locked';

/** A sign-in whose password is right. */
export interface VerifiedPassword {
  readonly kind: 'verified';
  readonly member: SignedInMember;
  /** The name under which failures are counted. */
  readonly name: string;
  /** Number of failures under the name before. */
  readonly failures: number;
}

/** The outcome of a password sign-in. */
export type SignInResult =
  | VerifiedPassword
  | { readonly kind: 'refusal'; readonly refusal: Exclude<SignInRefusal, 'locked'> }
  | { readonly kind: 'refusal'; readonly refusal: 'locked'; readonly retryAfterSeconds: number };

/** Signs a member in to one LOB by password. @param address the caller's. */
export type MemberSignIn = (
  lob: LineOfBusiness,
  username: string,
  password: string,
  address: string,
) => Promise<SignInResult>;
