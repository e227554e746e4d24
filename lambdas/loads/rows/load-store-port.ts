/**
 * Port of the table for rows of members' data: marks, writes of a patient, shared resources. Called by the loader of rows; the adapter
 * `loads/store/load-store.ts` writes records, representations and the end of grants, each with its audit event, and no account.
 */

import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ContactData } from '../../platform/kernel/contact-data.ts';
import type { Representation } from './representation.ts';

/** A resource in a patient's compartment. */
export interface OwnedName extends ResourceName {
  readonly patientId: string;
}

/** Data the store keeps about a resource, beside the resource. */
export interface StoredMark {
  readonly versionId: string;
  readonly lastUpdated: string;
  /** Digest of the row it came from; absent where no drop loaded it, and `merged` where a merge rewrote it. */
  readonly content?: string | undefined;
  /** Digest of the rules its search values were made by. */
  readonly rules?: string | undefined;
  /** Seconds since 1970; 0 where no drop loaded it. */
  readonly loadedAt: number;
  /** Digest of the place of the row it came from: job, file and line. */
  readonly row?: string | undefined;
}

/** Member a patient's compartment belongs to. */
export interface StoredPatient {
  readonly memberId: string;
  readonly mergedInto?: string | undefined;
  /** The `lastUpdated` of the withdrawal. */
  readonly withdrawnAt?: string | undefined;
}

/** A resource as it is written: its text, and the mark beside it. */
export interface MarkedResource extends ResourceName {
  readonly versionId: string;
  readonly lastUpdated: string;
  readonly json: string;
  readonly content: string;
  readonly rules: string;
  readonly loadedAt: number;
  readonly row: string;
}

/** A resource that members share, with its text. */
export type SharedResource = MarkedResource;

export interface ResourcePut {
  readonly resource: MarkedResource;
  /** Search values of the resource, serialized. */
  readonly values: string;
  /** Version that must still be stored; undefined if the resource must not exist. */
  readonly replaces: string | undefined;
}

/** The changes of one patient's compartment that belong together. */
export interface PatientChanges {
  readonly patientId: string;
  /** Member of a Patient row. `known`: the store has the owner already. */
  readonly member?: {
    readonly memberId: string;
    readonly known: boolean;
    readonly contact: ContactData;
  };
  readonly puts: readonly ResourcePut[];
}

export interface SharedPut {
  readonly resource: SharedResource;
  readonly replaces: string | undefined;
}

/** Outcomes of a change: carried out, already stored, or the reason for its rejection. */
export const changeOutcomes = [
  'changed',
  'unchanged',
  'not_stored',
  'older_version',
  'version_reused',
  'patient_merged',
  'own_representative',
  'other_person',
] as const;
export type ChangeOutcome = (typeof changeOutcomes)[number];

/** The row that asks for a change. The outcome is stored with the change, so that a repeat counts it the same. */
export interface ChangeOrigin {
  readonly jobId: string;
  /** Digest of the row's place, as in `StoredMark`. */
  readonly row: string;
}

/** A change of who may share a member's data. */
interface RepresentationChange {
  readonly patientId: string;
  readonly lastUpdated: string;
}

/**
 * Makes the resource that replaces a withdrawn one.
 * @returns undefined if it is stored already.
 */
export type LeftBehind = (stored: {
  readonly json: string;
  readonly versionId: string;
}) => ResourcePut | undefined;

/** Table access for loading rows. Reads are strongly consistent, and answer in the order asked. */
export interface LoadStore {
  marks(lob: LineOfBusiness, names: readonly OwnedName[]): Promise<readonly (StoredMark | undefined)[]>;
  /** The `lastUpdated` of withdrawals of these resources. */
  withdrawals(lob: LineOfBusiness, names: readonly OwnedName[]): Promise<readonly (string | undefined)[]>;
  patients(
    lob: LineOfBusiness,
    patientIds: readonly string[],
  ): Promise<readonly (StoredPatient | undefined)[]>;
  /** The Patient id of each member identifier. */
  patientsOfMembers(
    lob: LineOfBusiness,
    memberIds: readonly string[],
  ): Promise<readonly (string | undefined)[]>;
  shared(
    lob: LineOfBusiness,
    names: readonly ResourceName[],
  ): Promise<readonly (SharedResource | undefined)[]>;
  /** Whether a stored resource has this text in one of its renditions. */
  hasText(lob: LineOfBusiness, name: OwnedName, json: string): Promise<boolean>;
  /** Whether the resource fits into an item. */
  fits(lob: LineOfBusiness, patientId: string, put: ResourcePut): boolean;
  /** Writes each patient's changes whole or not at all; `false` where somebody else wrote one of them since it was read. */
  write(lob: LineOfBusiness, jobId: string, changes: readonly PatientChanges[]): Promise<readonly boolean[]>;
  writeShared(lob: LineOfBusiness, puts: readonly SharedPut[]): Promise<readonly boolean[]>;
  /** Takes back a resource. @param left absent where the resource is removed. */
  withdraw(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    name: OwnedName,
    lastUpdated: string,
    left?: LeftBehind,
  ): Promise<ChangeOutcome>;
  /** Takes back a whole record. A repeat completes one that ended half-way. */
  withdrawPatient(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    patientId: string,
    lastUpdated: string,
  ): Promise<ChangeOutcome>;
  recordMove(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    move: {
      readonly patientId: string;
      readonly toLob: LineOfBusiness;
      readonly toPatientId?: string | undefined;
      readonly lastUpdated: string;
    },
  ): Promise<ChangeOutcome>;
  /**
   * Writes a representation. The contacts are kept of a representative who is no member. Grants of the representative that outlast it
   * end with it.
   */
  represent(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    change: RepresentationChange & { readonly representation: Representation; readonly contact: ContactData },
  ): Promise<ChangeOutcome>;
  /** Ends a representation, and the grants that stand on it. A repeat completes one that ended half-way. */
  endRepresentation(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    change: RepresentationChange & { readonly representativeId: string },
  ): Promise<ChangeOutcome>;
  /** Moves every resource to the other Patient's record. A repeat completes one that ended half-way. */
  merge(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    patientId: string,
    intoPatientId: string,
  ): Promise<ChangeOutcome>;
  /** The first outcome of a row in its load; undefined where the row has written nothing. */
  outcomeOf(lob: LineOfBusiness, origin: ChangeOrigin): Promise<ChangeOutcome | undefined>;
}
