/** Types of members' accounts and representatives in the authorization server. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { RepresentativeRole } from '../../catalog/oauth/representative-roles.ts';

/** A personal representative, as the plan has them on file for one member. */
export interface PersonalRepresentative {
  /** The plan's identifier of the representative. */
  readonly representativeId: string;
  readonly name: string;
  readonly role: RepresentativeRole;
  /** Last second of the representation, seconds since 1970; absent if it has no end. */
  readonly until?: number | undefined;
}

/** Personal representative in codes and tokens, without a name. */
export type RepresentedBy = Pick<PersonalRepresentative, 'representativeId' | 'until'>;

/** A patient whose data an account may share in one LOB. */
export interface AccessiblePatient {
  readonly patientId: string;
  readonly displayName: string;
  readonly birthYear?: string | undefined;
  /** The account holder, if the patient is another person. */
  readonly representative?: PersonalRepresentative | undefined;
}

/** An account at the time its holder was authenticated. */
export interface AccountReference {
  /** Opaque subject id of the account. */
  readonly sub: string;
  /**
   * The account's session epoch, read before the password was verified: a session of an earlier epoch is over. Absent for an account of the
   * plan's identity provider, whose passwords are not ours.
   */
  readonly sessionEpoch?: number | undefined;
}

/** An account whose holder is authenticated, and the patients whose data it may share in one LOB, the holder first. */
export interface AuthenticatedAccount extends AccountReference {
  readonly patients: readonly AccessiblePatient[];
}

/** An authenticated account, and the one patient it acts for. */
export interface SignedInMember extends AccountReference {
  readonly patientId: string;
  /** Name of the patient. */
  readonly displayName: string;
  /** The account holder, if the patient is another person. */
  readonly representative?: PersonalRepresentative | undefined;
}

/** The account of an authentication, without its patients. */
export function referenceTo({ sub, sessionEpoch }: AccountReference): AccountReference {
  return { sub, ...(sessionEpoch !== undefined && { sessionEpoch }) };
}

/** The account, acting for one of its patients. */
export function actingFor(account: AccountReference, patient: AccessiblePatient): SignedInMember {
  const { patientId, displayName, representative } = patient;
  const member = { ...referenceTo(account), patientId, displayName };
  return representative === undefined ? member : { ...member, representative };
}

/**
 * The account with its only patient.
 *
 * @returns undefined if it has none or several.
 */
export function soleMember(account: AuthenticatedAccount): SignedInMember | undefined {
  const [only, ...others] = account.patients;
  return only === undefined || others.length > 0 ? undefined : actingFor(account, only);
}

/** Lists the patients whose data an account may share now. @throws StoreUnavailable */
export type FindPatientsOfAccount = (
  lob: LineOfBusiness,
  account: { readonly sub: string },
) => Promise<readonly AccessiblePatient[]>;

/** An account acting for a patient, with the epoch of its session if there is one. */
export type ActingAccount = Pick<SignedInMember, 'sub' | 'patientId' | 'sessionEpoch'>;

/**
 * Finds the account of a session, with the patients it may share now.
 *
 * @returns undefined if the account is not active, may no longer act for the patient, or its sessions have been ended since; also if the
 * directory does not answer, as a sign-in would fail then too.
 */
export type FindActiveAccount = (
  lob: LineOfBusiness,
  member: ActingAccount,
) => Promise<AuthenticatedAccount | undefined>;

/**
 * Whether a member's account is disabled or deleted, may no longer act for the patient, or its session has been ended. Without a session,
 * as at a refresh, a changed password does not count.
 *
 * @throws StoreUnavailable if the directory does not answer.
 */
export type IsAccountClosed = (lob: LineOfBusiness, member: ActingAccount) => Promise<boolean>;

/**
 * Reason of a refused sign-in. `refused`: unknown, wrong password, disabled or locked, indistinguishably. `not_covered`: the password is
 * right, but the account has no plan in this LOB; the audit has this reason, the page answers as for `refused`. `unavailable`: the
 * directory did not answer. `locked`: too many failures of this account, known or unknown, or from this address; the password was not
 * tried.
 */
export type SignInRefusal = 'refused' | 'not_covered' | 'unavailable' | 'locked';

/** A sign-in with a right password. */
export interface VerifiedPassword {
  readonly kind: 'verified';
  readonly account: AuthenticatedAccount;
  /** The name under which failures are counted. */
  readonly name: string;
  /** Number of failures under the name before this sign-in. */
  readonly failures: number;
}

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

/** Seconds that an SSO session lasts after the sign-in; activity does not extend it. The sign-in page states it. */
export const ssoSessionSeconds = 900;
