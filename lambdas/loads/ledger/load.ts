import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Transition } from '../../platform/kernel/transition.ts';
import type { DropKind, DropManifest } from './manifest.ts';

/** The states of the load of one drop. */
export const loadStates = [
  'accepted',
  'running',
  'reconciled',
  'not-reconciled',
  'failed',
  'cancelled',
] as const;
export type LoadState = (typeof loadStates)[number];

/**
 * The acts on a load, each with the states it may start from and the state it leads to. The ledger enforces them by conditional writes.
 */
export const loadTransitions = {
  start: { from: ['accepted'], to: 'running' },
  reconcile: { from: ['running'], to: 'reconciled' },
  'leave-unreconciled': { from: ['running'], to: 'not-reconciled' },
  fail: { from: ['accepted', 'running'], to: 'failed' },
  cancel: { from: ['accepted', 'running'], to: 'cancelled' },
  retry: { from: ['reconciled', 'not-reconciled', 'failed', 'cancelled'], to: 'accepted' },
} as const satisfies Readonly<Record<string, Transition<LoadState>>>;
export type LoadAct = keyof typeof loadTransitions;

/** Value of `execution` while a requested retry has no execution yet. */
export const notStarted = '';

/** Whether a load in this state has ended. */
export function hasLoadEnded(state: LoadState): boolean {
  return state !== 'accepted' && state !== 'running';
}

/** Numbers of rows by their outcome in this load. A row that is read repeatedly counts once. */
export interface LoadCounts {
  /** Rows that were written. */
  readonly loaded: number;
  /** Rows that were stored already. */
  readonly unchanged: number;
  /** Rows that were not written, because a newer version is stored. */
  readonly older: number;
  readonly rejected: number;
}

export const noRows: LoadCounts = { loaded: 0, unchanged: 0, older: 0, rejected: 0 };

export function addCounts(a: LoadCounts, b: LoadCounts): LoadCounts {
  return {
    loaded: a.loaded + b.loaded,
    unchanged: a.unchanged + b.unchanged,
    older: a.older + b.older,
    rejected: a.rejected + b.rejected,
  };
}

export function rowsIn({ loaded, unchanged, older, rejected }: LoadCounts): number {
  return loaded + unchanged + older + rejected;
}

/** A load, as the ledger stores it. Times are ISO 8601. */
export interface Load {
  readonly lob: LineOfBusiness;
  /** The load's ID, `<drop>.<8 hex of the manifest's version>`: unique in the LOB. The table and operators' answers name it `jobId`. */
  readonly jobId: string;
  readonly source: string;
  readonly drop: string;
  readonly kind: DropKind;
  /** The drop's folder in the ingest bucket, with a trailing slash. */
  readonly folder: string;
  readonly state: LoadState;
  readonly manifest: DropManifest;
  /**
   * ARN of the state machine's execution that carries out the load, or `notStarted`. A second event for the same manifest starts another
   * execution, which finds this one here and ends.
   */
  readonly execution: string;
  /** 1 for the first attempt; each retry adds one. */
  readonly attempt: number;
  readonly acceptedAt: string;
  readonly endedAt?: string | undefined;
  /** Reason why the load failed or is not reconciled; absent otherwise. */
  readonly reason?: LoadEndReason | undefined;
  readonly counts?: LoadCounts | undefined;
}

/** Reasons why a load failed or is not reconciled. */
export type LoadEndReason =
  | 'counts_differ'
  | 'file_refused'
  | 'range_not_loaded'
  | 'too_many_rejects'
  | 'execution_failed'
  | 'operator';

/** The row count of a file in the manifest, and the counts of its loaded rows. */
export interface FileTotals {
  /** The file's row count in the manifest. */
  readonly controlTotal: number;
  readonly counts: LoadCounts;
  /** Whether the file was refused as a whole, for its hash, encoding or type. */
  readonly refused: boolean;
  /** Number of ranges that were never finished. */
  readonly openRanges: number;
}

export type LoadVerdict =
  | { readonly kind: 'reconciled' }
  | {
      readonly kind: 'not-reconciled';
      readonly reason: Extract<LoadEndReason, 'counts_differ' | 'file_refused' | 'range_not_loaded'>;
    }
  | { readonly kind: 'failed'; readonly reason: Extract<LoadEndReason, 'too_many_rejects'> };

/** Rejected rows that a small drop may have: 10, but not more than one in five rows. */
const toleratedRows = { most: 10, share: 5 } as const;

/** Most rejected rows that a load tolerates. A percentage of 0 tolerates none, even in a small drop. */
export function mostRejects(rows: number, toleratedPercent: number): number {
  if (toleratedPercent === 0) return 0;
  const floor = Math.min(toleratedRows.most, Math.floor(rows / toleratedRows.share));
  return Math.max(floor, Math.floor((toleratedPercent * rows) / 100));
}

/**
 * Judges a load after all its ranges were tried. It is reconciled if the outcomes of each file's rows add up to the control total, and the
 * number of rejected rows is tolerated.
 *
 * @param toleratedPercent of all rows, 0 to 100.
 */
export function judgeLoad(files: readonly FileTotals[], toleratedPercent: number): LoadVerdict {
  if (files.some(({ refused }) => refused)) return { kind: 'not-reconciled', reason: 'file_refused' };
  if (files.some(({ openRanges }) => openRanges > 0)) {
    return { kind: 'not-reconciled', reason: 'range_not_loaded' };
  }
  if (files.some(({ controlTotal, counts }) => rowsIn(counts) !== controlTotal)) {
    return { kind: 'not-reconciled', reason: 'counts_differ' };
  }
  const counts = files.reduce((sum, file) => addCounts(sum, file.counts), noRows);
  if (counts.rejected > mostRejects(rowsIn(counts), toleratedPercent)) {
    return { kind: 'failed', reason: 'too_many_rejects' };
  }
  return { kind: 'reconciled' };
}
