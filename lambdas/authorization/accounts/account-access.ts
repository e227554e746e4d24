/** Port: the patients whose data an account may share. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { RepresentativeRole } from '../../catalog/oauth/representative-roles.ts';

/** A patient whose data an account may share in one LOB: the account holder's own, or one they are the personal representative of. */
export type SharablePatient = OwnPatient | RepresentedPatient;

interface PatientOfMember {
  readonly patientId: string;
  readonly memberId: string;
  readonly displayName: string;
}

interface OwnPatient extends PatientOfMember {
  readonly relationship: 'self';
}

interface RepresentedPatient extends PatientOfMember {
  readonly relationship: 'representative';
  /** Distinguishes patients with the same name. */
  readonly birthYear?: string;
  /** The account holder, as the plan has them on file (45 CFR 164.502(g)). */
  readonly representative: {
    /** The plan's identifier of the person; their member identifier, where they are a member. */
    readonly representativeId: string;
    readonly name: string;
    readonly role: RepresentativeRole;
    /** Last second of the representation, seconds since 1970; absent where it has no end. */
    readonly until?: number;
  };
}

/**
 * Patients an account may share, by its subject: the one answer for password sign-in, federation and activation, and again at
 * consent, redemption, refresh and silent sign-in. Adapter: `lambdas/authorization/store/account-access.ts`.
 */
export interface AccountAccess {
  /**
   * Lists the patients whose data an account may share in an LOB now: its own first. Empty for an account without a plan there.
   *
   * @throws StoreUnavailable
   */
  patientsOf(lob: LineOfBusiness, account: { readonly sub: string }): Promise<readonly SharablePatient[]>;
  /**
   * Reads how often an act has ended all sessions of the account (docs/decisions/0051).
   *
   * @throws StoreUnavailable
   */
  sessionEpochOf(sub: string): Promise<number>;
}

/** The plan's identifier of the account holder: the user name of an account of ours. */
export function identifierOf(patient: SharablePatient): string {
  return patient.relationship === 'self' ? patient.memberId : patient.representative.representativeId;
}
