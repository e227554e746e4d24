/** Response bodies of the portal's API about the data of Provider Directories. Times are ISO 8601 in UTC. The data is public. */

import type { FindingCode } from '../../catalog/fhir/directory-findings.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** Faults in the directory of a LOB, from its last load and its last build. */
export interface DirectoryToFixView {
  readonly lob: LineOfBusiness;
  /** Absent if nothing was built yet. A build that was refused or failed left the publication before it. */
  readonly lastBuild?: {
    /** `published`, `running`, `refused`, `failed` or `abandoned`. */
    readonly state: string;
    readonly startedAt: string;
    readonly reasons: readonly { readonly code: string; readonly message: string }[];
  };
  /** Absent if nothing is published. */
  readonly publication?: {
    readonly publishedAt: string;
    readonly records: number;
    /** Records without any finding. */
    readonly clean: number;
    readonly comparedWithNppes: boolean;
  };
  /** Faults of published records, by type. */
  readonly findings: readonly {
    readonly type: string;
    readonly code: FindingCode;
    readonly records: number;
    readonly examples: readonly { readonly resource: string; readonly message: string }[];
  }[];
  /** The newest load of the directory; absent if none was found. */
  readonly load?: {
    readonly jobId: string;
    readonly source: string;
    /** `accepted`, `running`, `reconciled`, `not-reconciled`, `failed` or `cancelled`. */
    readonly state: string;
    readonly acceptedAt: string;
    readonly rows: number;
    readonly rejected: number;
    /** Files that were not loaded as a whole. */
    readonly refusedFiles: readonly {
      readonly name: string;
      readonly problem: string;
      readonly fix: string;
    }[];
    readonly rejects: readonly {
      readonly code: string;
      readonly problem: string;
      readonly fix: string;
      readonly rows: number;
      readonly examples: readonly {
        readonly file: string;
        readonly line: number;
        readonly resource?: string;
        readonly element?: string;
        readonly expected?: string;
      }[];
    }[];
    /** Number of rejects that `rejects` counts, if not all were read. */
    readonly readRejects?: number;
  };
}

/** `GET /api/operations/directories/{environment}` */
export interface DirectoriesToFixView {
  readonly directories: readonly DirectoryToFixView[];
}

/** `GET /api/operations/directories/{environment}/{lob}/findings`: where all findings can be downloaded as CSV, for a quarter of an hour. */
export interface FindingsFileView {
  readonly url: string;
}
