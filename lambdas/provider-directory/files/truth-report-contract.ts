/** Types of a publication's truth report, which a build makes and operators read. */
import type { FindingCode } from '../../catalog/fhir/directory-findings.ts';
import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';

export interface RecordFault {
  readonly code: FindingCode;
  /** A sentence for the person who corrects the record. */
  readonly message: string;
}

/** A record to correct, for operators. */
export interface RecordFinding extends RecordFault {
  /** `Type/id` */
  readonly resource: string;
}

export interface TypeReport {
  readonly records: number;
  /** Records that the source verified within 30 days before the publication was built. */
  readonly verified30: number;
  readonly verified90: number;
  /** Records without any finding. */
  readonly clean: number;
  /** Number of records with each finding. */
  readonly findings: Readonly<Partial<Record<FindingCode, number>>>;
}

export interface TruthReport {
  readonly publication: string;
  readonly builtAt: string;
  /** Whether NPIs were compared with an NPPES file. */
  readonly comparedWithNppes: boolean;
  readonly types: Readonly<Partial<Record<DirectoryType, TypeReport>>>;
  readonly records: number;
  readonly verified30: number;
  readonly verified90: number;
  readonly clean: number;
}
