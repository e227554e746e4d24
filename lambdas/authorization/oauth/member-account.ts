/** Members' accounts and representatives, as the authorization server sees them. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { RepresentativeRole } from '../../catalog/oauth/representative-roles.ts';

/** Members' accounts as the authorization server needs them. Adapters: `authorization/accounts`, `authorization/store`, `authorization/aws`. */

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

/** An account at the time its holder was authenticated. */
export interface AccountReference {
  /** Opaque subject id of the account. */
  readonly sub: string;
  /**
   * The account's session epoch, read before its credential was verified: a session of an earlier epoch is over. Absent for an account of the plan's
   * identity provider, whose credentials are not ours.
   */
  readonly sessionEpoch?: number | undefined;
}

/** An account whose holder is authenticated, and what it may share in one LOB: its own patient first. */
export interface AuthenticatedAccount extends AccountReference {
  readonly patients: readonly AccessiblePatient[];
}

/** An authenticated account, and the one patient it acts for. */
export interface SignedInMember extends AccountReference {
  readonly patientId: string;
  /** Name of the patient. */
  readonly displayName: string;
  /** The account holder, where the patient is another person. */
  readonly representative?: PersonalRepresentative | undefined;
}

/** An account without what it may share. */
export function referenceTo({ sub, sessionEpoch }: AccountReference): AccountReference {
  return { sub, ...(sessionEpoch !== undefined && { sessionEpoch }) };
}

/** The account acting for one of its patients. */
export function actingFor(account: AccountReference, patient: AccessiblePatient): SignedInMember {
  const { patientId, displayName, representative } = patient;
  const member = { ...referenceTo(account), patientId, displayName };
  return representative === undefined ? member : { ...member, representative };
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

/** An account acting for a patient, with the epoch of the session it acts in, if it acts in one. */
export type ActingAccount = Pick<SignedInMember, 'sub' | 'patientId' | 'sessionEpoch'>;

/**
 * Finds the account of a session that could sign in now and may still act for that patient, with all it may share. Undefined where
 * an act has ended the account's sessions since, and where the directory doesn't answer: the password would be of no use then either.
 */
export type FindActiveAccount = (
  lob: LineOfBusiness,
  member: ActingAccount,
) => Promise<AuthenticatedAccount | undefined>;

/**
 * Whether the account of a member is disabled or deleted, or may no longer act for that patient, or an act has ended the session it
 * acts in. Outside of a session, as at a refresh, a new or a reset password ends nothing.
 *
 * @throws StoreUnavailable where the directory doesn't answer.
 */
export type IsAccountClosed = (lob: LineOfBusiness, member: ActingAccount) => Promise<boolean>;

/**
 * - `refused`: unknown, wrong password, disabled or locked; indistinguishable.
 * - `not_covered`: the account is right and has no plan in this LOB. For the audit only: the page answers as to `refused`.
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

/** Lifetime of an SSO session from the password on, whatever is done in it. The sign-in page states it. */
export const ssoSessionSeconds = 900;
