/** Ports to publications: the tables that a search reads, and the publications that are kept. */
import type { Sql, SqlValue } from './sql.ts';

/** Reads the tables of one publication. Adapter: `lambdas/provider-directory/sqlite/publication-file.ts`. */
export interface PublicationTables {
  /**
   * Returns the rows of a query.
   *
   * @throws PublicationDamaged if the file can't be read.
   */
  all(statement: Sql): readonly Readonly<Record<string, SqlValue>>[];
  /**
   * Reads a row of the table `array`.
   *
   * @returns its bytes in a buffer of their own; undefined if there is no such row.
   */
  array(name: string): ArrayBuffer | undefined;
  /**
   * Reads a row of the table `body`: the IDs of its resources in one line, then each resource in a line.
   *
   * @param first number of the type's first block.
   */
  block(block: number, first: number): readonly string[];
}

/** An immutable build of a LOB's directory, open for reading. */
export interface DirectoryPublication extends PublicationTables {
  /** Opaque ID. All pages of a search come from one publication. */
  readonly id: string;
  /** Time of the build, milliseconds since 1970. */
  readonly builtAt: number;
}

/** The publications that are kept: the current one, and the previous one for searches that began in it. */
export interface DirectoryPublications {
  /**
   * The current publication.
   *
   * @throws PublicationUnavailable if none can be opened.
   */
  current(): Promise<DirectoryPublication>;
  /**
   * The publication of an ID.
   *
   * @returns undefined if it is no longer kept.
   */
  kept(id: string): Promise<DirectoryPublication | undefined>;
}

/** No publication can be opened: none was published, or the bucket fails and none is open. The call may be repeated. */
export class PublicationUnavailable extends Error {
  override readonly name = 'PublicationUnavailable';
}
