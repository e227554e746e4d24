import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Transition } from '../../platform/kernel/transition.ts';
import type { DropKind, DropManifest } from './manifest.ts';

/** The states of a load job: what became of one drop. */
export const loadStates = [
  'accepted',
  'running',
  'reconciled',
  'not-reconciled',
  'failed',
  'cancelled',
] as const;
export type LoadState = (typeof loadStates)[number];

/** Every act on a load job, with the states it starts from and the state it leads to. The ledger enforces them by conditions. */
export const loadTransitions = {
  start: { from: ['accepted'], to: 'running' },
  reconcile: { from: ['running'], to: 'reconciled' },
  'leave-unreconciled': { from: ['running'], to: 'not-reconciled' },
  fail: { from: ['accepted', 'running'], to: 'failed' },
  cancel: { from: ['accepted', 'running'], to: 'cancelled' },
  retry: { from: ['reconciled', 'not-reconciled', 'failed', 'cancelled'], to: 'accepted' },
} as const satisfies Readonly<Record<string, Transition<LoadState>>>;
export type LoadAct = keyof typeof loadTransitions;

/** `execution` of a job whose retry was asked for and has no execution yet. */
export const notStarted = '';

/** Whether a job in this state has ended. */
export function hasLoadEnded(state: LoadState): boolean {
  return state !== 'accepted' && state !== 'running';
}

/** Numbers of rows by what became of each in this load, however often a part of it was repeated. */
export interface LoadCounts {
  /** Written. */
  readonly loaded: number;
  /** Stored before the load, as they are. */
  readonly unchanged: number;
  /** Not written, because a newer version is stored. */
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

/** A load job as the ledger holds it. Times are ISO 8601. */
export interface LoadJob {
  readonly lob: LineOfBusiness;
  /** `<drop>.<8 hex of the manifest's version>`: unique in the LOB. */
  readonly jobId: string;
  readonly source: string;
  readonly drop: string;
  readonly kind: DropKind;
  /** The drop's folder in the ingest bucket, with a slash at its end. */
  readonly folder: string;
  readonly state: LoadState;
  readonly manifest: DropManifest;
  /** The ARN of the execution that carries the job out, or `notStarted`. A second event for the same manifest has another. */
  readonly execution: string;
  /** 1 for the first; each retry adds one. */
  readonly attempt: number;
  readonly acceptedAt: string;
  readonly endedAt?: string | undefined;
  /** Why it ended as it did; absent while it runs and where it is reconciled. */
  readonly reason?: LoadEndReason | undefined;
  readonly counts?: LoadCounts | undefined;
}

/** Why a job is not reconciled, or failed. */
export type LoadEndReason =
  | 'counts_differ'
  | 'file_refused'
  | 'range_not_loaded'
  | 'too_many_rejects'
  | 'execution_failed'
  | 'operator';

/** Totals of a file by the manifest, beside those found in it. */
export interface FileTotals {
  /** The row count of the manifest. */
  readonly controlTotal: number;
  readonly counts: LoadCounts;
  /** Whether the file was read at all: its hash was right, and its encoding one that is taken. */
  readonly refused: boolean;
  /** Ranges that were never finished. */
  readonly openRanges: number;
}

export type LoadVerdict =
  | { readonly kind: 'reconciled' }
  | {
      readonly kind: 'not-reconciled';
      readonly reason: Extract<LoadEndReason, 'counts_differ' | 'file_refused' | 'range_not_loaded'>;
    }
  | { readonly kind: 'failed'; readonly reason: Extract<LoadEndReason, 'too_many_rejects'> };

/** Rejected rows of a small drop that are tolerated: so many, and a fifth of its rows at most. */
const toleratedRows = { most: 10, share: 5 } as const;

/** The most rejected rows of a load that are tolerated. A percentage of zero tolerates none, however small the drop. */
export function mostRejects(rows: number, toleratedPercent: number): number {
  if (toleratedPercent === 0) return 0;
  const floor = Math.min(toleratedRows.most, Math.floor(rows / toleratedRows.share));
  return Math.max(floor, Math.floor((toleratedPercent * rows) / 100));
}

/**
 * Judges a job whose ranges have all been tried. It is reconciled where each file's rows by outcome add up
 * to the control total, and no more rows were rejected than are tolerated.
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
