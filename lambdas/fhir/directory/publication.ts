import type { PublicationRows } from './plan.ts';

/** An immutable build of a LOB's directory, open for reading. */
export interface DirectoryPublication extends PublicationRows {
  /** Opaque; a search's pages all come from one publication. */
  readonly id: string;
  /** When it was built, milliseconds since 1970. */
  readonly builtAt: number;
}

/** The publications that are kept: the current one, and the one before it for searches that have begun. */
export interface DirectoryPublications {
  /** @throws StoreUnavailable where none can be opened. */
  current(): Promise<DirectoryPublication>;
  /** @returns undefined for one that is no longer kept. */
  kept(id: string): Promise<DirectoryPublication | undefined>;
}
