/**
 * Port to the ledger of loads, with their files and ranges. Called by the steps of a load, operators' requests and the sweep. The adapter
 * `loads/store/load-ledger.ts` has no access to members' records.
 */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { FreshnessClock } from './freshness.ts';
import type { Load, LoadAct, LoadCounts, LoadEndReason } from './load.ts';
import type { LineRange } from './ranges.ts';
import type { FileRefusal } from './rejects.ts';

export interface LoadName {
  readonly lob: LineOfBusiness;
  readonly jobId: string;
}

/** A scanned file of a load. */
export interface LedgerFile {
  /** Position in the manifest. */
  readonly file: number;
  readonly name: string;
  readonly type: string;
  /** Row count of the manifest (control total). */
  readonly rows: number;
  /** Version of the S3 object; all ranges are read from this version. */
  readonly versionId: string;
  readonly bytes: number;
  readonly rowsFound: number;
  readonly refusal?: FileRefusal | undefined;
}

/** A range of a load, with the outcome of its rows. */
export interface LedgerRange extends LineRange {
  readonly file: number;
  readonly range: number;
  readonly wave: number;
  /** Number of times the range was loaded to its end; more than once if it had unresolved references. */
  readonly looks: number;
  readonly counts?: LoadCounts | undefined;
  /** Number of rows rejected for an unresolved reference. */
  readonly unresolved: number;
  /** Number of rows whose references were unresolved at the look before, and resolved at the last one. */
  readonly resolved: number;
}

/** Most looks at one range. It limits how long a chain of references between rows of the drop can be. */
export const mostLooks = 8;

/**
 * The ranges of a load that must be loaded: for the first time, or again because of unresolved references. A range gets a second look. After
 * that it is loaded again as long as the last look at any range resolved a reference.
 */
export function openRanges<Range extends Pick<LedgerRange, 'looks' | 'unresolved' | 'resolved'>>(
  ranges: readonly Range[],
): readonly Range[] {
  const resolvedAt = ranges.reduce(
    (most, { looks, resolved }) => (resolved > 0 ? Math.max(most, looks) : most),
    1,
  );
  return ranges.filter(
    ({ looks, unresolved }) => looks === 0 || (unresolved > 0 && looks < mostLooks && looks <= resolvedAt),
  );
}

/** The ledger of loads in the environment's table. Every write is conditional. */
export interface LoadLedger {
  load(name: LoadName): Promise<Load | undefined>;
  /** Writes a new load. Returns `false` if a load of this name exists. */
  accept(load: Load): Promise<boolean>;
  /** Sets the execution of a load whose retry has none yet. Returns `false` if the load has an execution or is in another state. */
  enlist(name: LoadName, execution: string): Promise<boolean>;
  /** The ID of the load that the LOB started last. It may have ended since: see the load's state. */
  turn(lob: LineOfBusiness): Promise<string | undefined>;
  /**
   * Starts the accepted load of this execution, and records it as the load that the LOB started last, in one transaction. Returns `false` if
   * the load is in another state, or that record no longer names `holder`.
   */
  start(name: LoadName, execution: string, holder: string | undefined): Promise<boolean>;
  /**
   * Carries out an act of `loadTransitions`, and sets a source's freshness clock in the same transaction. Returns `false` if the load is in
   * another state.
   */
  act(
    name: LoadName,
    act: LoadAct,
    sets?: {
      readonly endedAt?: string;
      readonly reason?: LoadEndReason;
      readonly counts?: LoadCounts;
      readonly execution?: string;
    },
    clock?: FreshnessClock,
  ): Promise<boolean>;
  files(name: LoadName): Promise<readonly LedgerFile[]>;
  ranges(name: LoadName): Promise<readonly LedgerRange[]>;
  range(name: LoadName, file: number, range: number): Promise<LedgerRange | undefined>;
  file(name: LoadName, file: number): Promise<LedgerFile | undefined>;
  /** Writes a scanned file after its ranges. Ranges of an earlier scan of the same version stay. */
  plan(name: LoadName, file: LedgerFile, ranges: readonly LedgerRange[]): Promise<void>;
  /** Writes the outcome of a look at a range, if the ledger still has `range.looks`. `outcome.looks` includes this look. */
  finishRange(
    name: LoadName,
    range: LedgerRange,
    outcome: { readonly looks: number; readonly counts: LoadCounts; readonly unresolved: number },
  ): Promise<void>;
  /** Reopens a range for a retry. */
  reopenRange(name: LoadName, range: LedgerRange): Promise<void>;
  /**
   * Lists loads of a LOB, newest first. `after` is a load ID: only older loads are listed, none if the load is unknown. `next` is the `after`
   * of the next page.
   */
  loads(
    lob: LineOfBusiness,
    most: number,
    after?: string,
  ): Promise<{ readonly loads: readonly Load[]; readonly next?: string }>;
  clocks(lob: LineOfBusiness): Promise<readonly FreshnessClock[]>;
}
