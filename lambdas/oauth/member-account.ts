/** Members' accounts and representatives, as the authorization server sees them. */

import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { RepresentativeRole } from '../catalog/oauth/representative-roles.ts';

/** Members' accounts as the authorization server needs them. Adapters: `lambdas/members`, `lambdas/storage`, `lambdas/aws`. */

/** A personal representative, as the plan has them on file for one member. */
export interface PersonalRepresentative {
  /** The plan's identifier of the person. */
  readonly representativeId: string;
  readonly name: string;
  readonly role: RepresentativeRole;
  /** Last second of the representation, seconds since 1970; absent where it has no end. */
  readonly until?: number | undefined;
}

/** Personal representative in codes and tokens, without a name. */
export type RepresentedBy = Pick<PersonalRepresentative, 'representativeId' | 'until'>;

/** A patient whose data an account may share in one LOB. */
export interface AccessiblePatient {
  readonly patientId: string;
  readonly displayName: string;
  readonly birthYear?: string | undefined;
  /** The account holder, where the patient is another person. */
  readonly representative?: PersonalRepresentative | undefined;
}

/** An account whose holder is authenticated, and what it may share in one LOB: its own patient first. */
export interface AuthenticatedAccount {
  /** Opaque subject id of the account. */
  readonly sub: string;
  readonly patients: readonly AccessiblePatient[];
}

/** An authenticated account, and the one patient it acts for. */
export interface SignedInMember {
  /** Opaque subject id of the account. */
  readonly sub: string;
  readonly patientId: string;
  /** Name of the patient. */
  readonly displayName: string;
  /** The account holder, where the patient is another person. */
  readonly representative?: PersonalRepresentative | undefined;
}

/** The account acting for one of its patients. */
export function actingFor(
  { sub }: Pick<AuthenticatedAccount, 'sub'>,
  patient: AccessiblePatient,
): SignedInMember {
  const { patientId, displayName, representative } = patient;
  return { sub, patientId, displayName, ...(representative !== undefined && { representative }) };
}

/** The patient of an account that can act for no other; undefined where there is a choice, or nobody. */
export function soleMember(account: AuthenticatedAccount): SignedInMember | undefined {
  const [only, ...others] = account.patients;
  return only === undefined || others.length > 0 ? undefined : actingFor(account, only);
}

/** Lists the patients whose data an account may share now. @throws StoreUnavailable */
export type FindPatientsOfAccount = (
  lob: LineOfBusiness,
  account: { readonly sub: string },
) => Promise<readonly AccessiblePatient[]>;

/**
 * Finds the account of a member that could sign in now and may still act for that patient, with all it may share. Undefined
 * too where the directory doesn't answer: the password would be of no use then either.
 */
export type FindActiveAccount = (
  lob: LineOfBusiness,
  member: Pick<SignedInMember, 'sub' | 'patientId'>,
) => Promise<AuthenticatedAccount | undefined>;

/**
 * Whether the account of a member is disabled or deleted, or may no longer act for that patient. A password reset ends no grant.
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
  readonly account: AuthenticatedAccount;
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
