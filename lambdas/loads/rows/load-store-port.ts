/**
 * Port to the table for rows of members' data: marks, writes of a patient, shared resources. Called by the loader of rows. The adapter
 * `loads/store/load-store.ts` writes records, representations and the end of grants, each with its audit event, but no accounts.
 */

import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ContactData } from '../../platform/kernel/contact-data.ts';
import type { ExchangeChange, ExchangeEnd } from './exchange-rows.ts';
import type { Representation } from './representation.ts';

/** A resource in a patient's compartment. */
export interface OwnedName extends ResourceName {
  readonly patientId: string;
}

/** Data that the store keeps beside a resource, to compare rows with. */
export interface StoredMark {
  readonly versionId: string;
  readonly lastUpdated: string;
  /** Digest of the row that the resource was loaded from; absent if it wasn't loaded by a drop, and `merged` if a merge rewrote it. */
  readonly content?: string | undefined;
  /** Digest of the rules that its search values were made by. */
  readonly rules?: string | undefined;
  /** Seconds since 1970; 0 if it wasn't loaded by a drop. */
  readonly loadedAt: number;
  /** Digest of the row's position: load, file and line. */
  readonly row?: string | undefined;
}

/** The member that a patient's compartment belongs to. */
export interface StoredPatient {
  readonly memberId: string;
  readonly mergedInto?: string | undefined;
  /** `lastUpdated` of the row that withdrew the patient. */
  readonly withdrawnAt?: string | undefined;
}

/** A resource to write, with the mark to keep beside it. */
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
  /** ID of the version that must still be stored; undefined if the resource must not exist. */
  readonly replaces: string | undefined;
}

/** Changes of one patient's compartment. */
export interface PatientChanges {
  readonly patientId: string;
  /** The member in a Patient row. `known`: the store already has the compartment's member. */
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

/** Outcomes of a change row: carried out, already stored, or the reason for its rejection. */
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

/** The row that a change comes from. The outcome is stored for it, so that a repeated row is counted the same. */
export interface ChangeOrigin {
  readonly jobId: string;
  /** Digest of the row's position, as in `StoredMark`. */
  readonly row: string;
}

/** A change of a personal representation of a patient. */
interface RepresentationChange {
  readonly patientId: string;
  readonly lastUpdated: string;
}

/**
 * Makes the resource that replaces a withdrawn one.
 *
 * @returns undefined if that resource is stored already.
 */
export type LeftBehind = (stored: {
  readonly json: string;
  readonly versionId: string;
}) => ResourcePut | undefined;

/** Table access for loading rows. Reads are strongly consistent; their results are in the order asked for. */
export interface LoadStore {
  marks(lob: LineOfBusiness, names: readonly OwnedName[]): Promise<readonly (StoredMark | undefined)[]>;
  /** `lastUpdated` of the rows that withdrew these resources. */
  withdrawals(lob: LineOfBusiness, names: readonly OwnedName[]): Promise<readonly (string | undefined)[]>;
  patients(
    lob: LineOfBusiness,
    patientIds: readonly string[],
  ): Promise<readonly (StoredPatient | undefined)[]>;
  /** The Patient ID of each member identifier. */
  patientsOfMembers(
    lob: LineOfBusiness,
    memberIds: readonly string[],
  ): Promise<readonly (string | undefined)[]>;
  shared(
    lob: LineOfBusiness,
    names: readonly ResourceName[],
  ): Promise<readonly (SharedResource | undefined)[]>;
  /** Whether one of the renditions of a stored resource is this text. */
  hasText(lob: LineOfBusiness, name: OwnedName, json: string): Promise<boolean>;
  /** Whether the resource fits into an item. */
  fits(lob: LineOfBusiness, patientId: string, put: ResourcePut): boolean;
  /**
   * Writes each patient's changes; `false` for a patient of whom another writer changed an item since it was read. A repeat completes a
   * partial write.
   */
  write(lob: LineOfBusiness, jobId: string, changes: readonly PatientChanges[]): Promise<readonly boolean[]>;
  writeShared(lob: LineOfBusiness, puts: readonly SharedPut[]): Promise<readonly boolean[]>;
  /**
   * Withdraws a resource.
   *
   * @param left makes the resource that replaces it; absent if the resource is removed.
   */
  withdraw(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    name: OwnedName,
    lastUpdated: string,
    left?: LeftBehind,
  ): Promise<ChangeOutcome>;
  /** Withdraws a whole record. A repeat completes an interrupted withdrawal. */
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
   * Writes a representation. Contact data is stored only for a representative who is not a member. Ends the representative's grants that
   * would outlast the representation.
   */
  represent(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    change: RepresentationChange & { readonly representation: Representation; readonly contact: ContactData },
  ): Promise<ChangeOutcome>;
  /** Ends a representation, and the grants that the representative gave. A repeat completes an interrupted end. */
  endRepresentation(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    change: RepresentationChange & { readonly representativeId: string },
  ): Promise<ChangeOutcome>;
  /** Offers a member that another payer is asked, or stores the member's permission. The later decision wins. */
  changeExchange(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    change: ExchangeChange & { readonly lastUpdated: string },
  ): Promise<ChangeOutcome>;
  /** Ends a member's permission to ask another payer. */
  endExchange(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    change: ExchangeEnd & { readonly lastUpdated: string },
  ): Promise<ChangeOutcome>;
  /** Moves every resource to the other Patient's record. A repeat completes an interrupted merge. */
  merge(
    lob: LineOfBusiness,
    origin: ChangeOrigin,
    patientId: string,
    intoPatientId: string,
  ): Promise<ChangeOutcome>;
  /** The first outcome of a row in its load; undefined if the row has changed nothing yet. */
  outcomeOf(lob: LineOfBusiness, origin: ChangeOrigin): Promise<ChangeOutcome | undefined>;
}
