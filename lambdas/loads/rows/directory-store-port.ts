/**
 * Port of the table for rows of the Provider Directory. Called by `load-directory-rows.ts`; the adapter `provider-directory/store`'s
 * partitions hold no member's data.
 */

import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** Data the store keeps about a resource of the directory, beside its text. */
export interface DirectoryMark {
  readonly versionId: string;
  readonly lastUpdated: string;
  /** Digest of the row. */
  readonly content: string;
  /** Digest of the place of the row: job, file and line. */
  readonly row?: string | undefined;
  readonly isWithdrawn: boolean;
}

export interface DirectoryPut extends ResourceName, DirectoryMark {
  /** Text of the resource; empty for a withdrawal. */
  readonly json: string;
  /** Digest of the row that has to be there still; undefined where nothing may be. */
  readonly replaces: string | undefined;
}

/** Table access for loading rows of the Provider Directory. */
export interface DirectoryStore {
  /** Strongly consistent, in the order asked. */
  marks(lob: LineOfBusiness, names: readonly ResourceName[]): Promise<readonly (DirectoryMark | undefined)[]>;
  /** Whether an item can hold it. */
  fits(put: DirectoryPut): boolean;
  /** `false` where somebody else wrote the resource since it was read. */
  write(lob: LineOfBusiness, puts: readonly DirectoryPut[]): Promise<readonly boolean[]>;
}
