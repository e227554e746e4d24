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
    /** The plan's identifier of the representative: the member identifier if they are a member too. */
    readonly representativeId: string;
    readonly name: string;
    readonly role: RepresentativeRole;
    /** Last second of the representation, seconds since 1970; absent if it has no end. */
    readonly until?: number;
  };
}

/**
 * Reads the patients whose data an account may share. Every sign-in asks this port (password, federation, activation), and so do consent,
 * redemption, refresh and silent authorization later. Adapter: `lambdas/authorization/store/account-access.ts`.
 */
export interface AccountAccess {
  /**
   * Lists the patients whose data an account may share in an LOB now, the account holder's own first. Empty if the account is linked to no
   * plan in the LOB.
   *
   * @throws StoreUnavailable
   */
  patientsOf(lob: LineOfBusiness, account: { readonly sub: string }): Promise<readonly SharablePatient[]>;
  /**
   * Counts how often all sessions of the account have been ended (docs/decisions/0051). A session with a lower count is over.
   *
   * @throws StoreUnavailable
   */
  sessionEpochOf(sub: string): Promise<number>;
}

/** The plan's identifier of the account holder, which is the user name of an account made by this service. */
export function identifierOf(patient: SharablePatient): string {
  return patient.relationship === 'self' ? patient.memberId : patient.representative.representativeId;
}
