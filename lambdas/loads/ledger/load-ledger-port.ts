/**
 * Port of the ledger of loads: jobs, files and ranges. Called by the steps of a load, operators' requests and the sweep; the adapter
 * `loads/store/load-ledger.ts` touches no member's record.
 */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { FreshnessClock } from './freshness.ts';
import type { LoadAct, LoadCounts, LoadEndReason, LoadJob } from './load-job.ts';
import type { LineRange } from './ranges.ts';
import type { FileRefusal } from './rejects.ts';

export interface JobName {
  readonly lob: LineOfBusiness;
  readonly jobId: string;
}

/** A file of a job, once it was scanned. */
export interface LedgerFile {
  /** Position in the manifest. */
  readonly file: number;
  readonly name: string;
  readonly type: string;
  /** Control total of the manifest. */
  readonly rows: number;
  /** Version of the object; every range is read from it. */
  readonly versionId: string;
  readonly bytes: number;
  readonly rowsFound: number;
  readonly refusal?: FileRefusal | undefined;
}

/** A range of a job, and what became of its rows. */
export interface LedgerRange extends LineRange {
  readonly file: number;
  readonly range: number;
  readonly wave: number;
  /** Number of times it was loaded to its end: more than once if references led nowhere at first. */
  readonly looks: number;
  readonly counts?: LoadCounts | undefined;
  /** Rows rejected because a reference led nowhere. */
  readonly unresolved: number;
  /** Rows whose references led somewhere at its last look and not at the one before. */
  readonly resolved: number;
}

/** Looks at one range, at most: it bounds a chain of references that wait for one another. */
export const mostLooks = 8;

/**
 * The ranges of a job that have still to be loaded: for the first time, or again because of references that led nowhere. After the second
 * look a range is loaded again as long as the last look at any range resolved something.
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

/** The record of load jobs in the environment's table. Every write is conditional. */
export interface LoadLedger {
  job(name: JobName): Promise<LoadJob | undefined>;
  /** Writes a new job. `false` where there is one of this name. */
  accept(job: LoadJob): Promise<boolean>;
  /** Names the execution of a job whose retry has none yet. `false` where it has one, or is in another state. */
  enlist(name: JobName, execution: string): Promise<boolean>;
  /** The ID of the job that had the LOB's turn last. Whether it has ended is the job's state. */
  turn(lob: LineOfBusiness): Promise<string | undefined>;
  /**
   * Starts an accepted job of this execution, and gives it the LOB's turn, both or neither. `false` where the job is in another state, or the
   * turn is not `holder`'s anymore.
   */
  start(name: JobName, execution: string, holder: string | undefined): Promise<boolean>;
  /**
   * Carries out an act of `loadTransitions`, and sets a source's clock with it, both or neither. `false` where the job is in another
   * state.
   */
  act(
    name: JobName,
    act: LoadAct,
    sets?: {
      readonly endedAt?: string;
      readonly reason?: LoadEndReason;
      readonly counts?: LoadCounts;
      readonly execution?: string;
    },
    clock?: FreshnessClock,
  ): Promise<boolean>;
  files(name: JobName): Promise<readonly LedgerFile[]>;
  ranges(name: JobName): Promise<readonly LedgerRange[]>;
  range(name: JobName, file: number, range: number): Promise<LedgerRange | undefined>;
  file(name: JobName, file: number): Promise<LedgerFile | undefined>;
  /** Writes a scanned file and its ranges; the file last. Those of an earlier scan of the same version stay. */
  plan(name: JobName, file: LedgerFile, ranges: readonly LedgerRange[]): Promise<void>;
  /** Writes what became of a range, where it was looked at as often as `range` says. `outcome.looks`: with this look. */
  finishRange(
    name: JobName,
    range: LedgerRange,
    outcome: { readonly looks: number; readonly counts: LoadCounts; readonly unresolved: number },
  ): Promise<void>;
  /** Reopens a range for a retry. */
  reopenRange(name: JobName, range: LedgerRange): Promise<void>;
  /**
   * The newest jobs of a LOB first. `after`: a job's id, whose older ones are listed; `next`: the same of the next page. A job that
   * isn't known has no older ones.
   */
  jobs(
    lob: LineOfBusiness,
    most: number,
    after?: string,
  ): Promise<{ readonly jobs: readonly LoadJob[]; readonly next?: string }>;
  clocks(lob: LineOfBusiness): Promise<readonly FreshnessClock[]>;
}
