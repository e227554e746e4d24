/**
 * Port of the table for rows of the Provider Directory. Called by `load-directory-rows.ts`; the adapter `provider-directory/store`'s
 * partitions hold no member's data.
 */

import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** Data that the store keeps beside a resource of the directory, to compare rows with. */
export interface DirectoryMark {
  readonly versionId: string;
  readonly lastUpdated: string;
  /** Digest of the row. */
  readonly content: string;
  /** Digest of the row's position: load, file and line. */
  readonly row?: string | undefined;
  readonly isWithdrawn: boolean;
}

export interface DirectoryPut extends ResourceName, DirectoryMark {
  /** The serialized resource; empty for a withdrawal. */
  readonly json: string;
  /** `content` of the mark that must still be stored; undefined if no mark may exist. */
  readonly replaces: string | undefined;
}

/** Table access for loading rows of the Provider Directory. */
export interface DirectoryStore {
  /** Reads marks strongly consistent, in the order asked for. */
  marks(lob: LineOfBusiness, names: readonly ResourceName[]): Promise<readonly (DirectoryMark | undefined)[]>;
  /** Whether the resource fits into an item. */
  fits(put: DirectoryPut): boolean;
  /** Writes resources, each by itself; `false` for a resource that another writer changed since it was read. */
  write(lob: LineOfBusiness, puts: readonly DirectoryPut[]): Promise<readonly boolean[]>;
}
