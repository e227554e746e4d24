/** Ports of a publication: what the search reads of its file, and which publications are kept. */
import type { Sql, SqlValue } from './sql.ts';

/** Reads the tables of one publication. Adapter: `lambdas/provider-directory/sqlite/publication-file.ts`. */
export interface PublicationTables {
  /** @throws PublicationDamaged for a file that can't be read. */
  all(statement: Sql): readonly Readonly<Record<string, SqlValue>>[];
  /** @returns the bytes of a row of `array`, in a buffer of their own; undefined where there is none. */
  array(name: string): ArrayBuffer | undefined;
  /**
   * The lines of a row of `body`: the IDs of its resources in one line, then each resource.
   *
   * @param first the first block of the type.
   */
  block(block: number, first: number): readonly string[];
}

/** An immutable build of a LOB's directory, open for reading. */
export interface DirectoryPublication extends PublicationTables {
  /** Opaque; a search's pages all come from one publication. */
  readonly id: string;
  /** Time of the build, milliseconds since 1970. */
  readonly builtAt: number;
}

/** The publications that are kept: the current one, and the one before it for searches that have begun. */
export interface DirectoryPublications {
  /** @throws PublicationUnavailable where none can be opened. */
  current(): Promise<DirectoryPublication>;
  /** @returns undefined for one that is no longer kept. */
  kept(id: string): Promise<DirectoryPublication | undefined>;
}

/** No publication can be opened: none was published, or the bucket fails and none was open. The call may be repeated. */
export class PublicationUnavailable extends Error {
  override readonly name = 'PublicationUnavailable';
}
