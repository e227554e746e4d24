/** Requests and responses of the function `load-operations`, which operators (`npm run ops -- loads`) and an hourly schedule invoke. */

import * as z from 'zod/mini';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { FreshnessView } from '../ledger/freshness.ts';
import type { LoadCounts, LoadEndReason, LoadState } from '../ledger/load.ts';
import type { RejectCode, RowReject } from '../ledger/rejects.ts';
import type { Sweep } from './sweep-loads.ts';

const lob = z.enum(lineOfBusinessCodes);
const loadIdForm = /^[a-z0-9][a-z0-9-]{0,39}\.[0-9a-f]{8}$/;
const loadName = { lob, jobId: z.string().check(z.regex(loadIdForm)) };

/** Whether a text has the form of a load's id. */
export function isLoadId(text: string): boolean {
  return loadIdForm.test(text);
}

/** A request to `load-operations`, from an operator or the hourly schedule. */
export const loadOperation = z.discriminatedUnion('action', [
  /** Asks for the name of the bucket that drops are uploaded to. */
  z.strictObject({ action: z.literal('bucket') }),
  z.strictObject({
    action: z.literal('list'),
    lob,
    limit: z._default(z.int().check(z.minimum(1), z.maximum(50)), 20),
    /** ID of the last load on the page before. */
    after: z.optional(loadName.jobId),
  }),
  z.strictObject({ action: z.literal('show'), ...loadName }),
  /** Asks for the rejects of a load, page by page. `after` is the `next` of the page before. */
  z.strictObject({ action: z.literal('rejects'), ...loadName, after: z.optional(z.int()) }),
  /** Asks for the newest load of the Provider Directory of each LOB, with its rejects by code. */
  z.strictObject({ action: z.literal('directory-rejects') }),
  z.strictObject({ action: z.literal('cancel'), ...loadName }),
  /** Loads the rows again that were not loaded, or were rejected. */
  z.strictObject({ action: z.literal('retry'), ...loadName }),
  z.strictObject({ action: z.literal('freshness') }),
  /** Starts a load for each drop without one, and fails each load whose execution ended without finishing it. */
  z.strictObject({ action: z.literal('sweep') }),
]);
export type LoadOperation = z.input<typeof loadOperation>;

export interface LoadSummary {
  readonly lob: LineOfBusiness;
  readonly jobId: string;
  readonly source: string;
  readonly kind: string;
  readonly state: LoadState;
  readonly reason?: LoadEndReason | undefined;
  readonly attempt: number;
  readonly acceptedAt: string;
  readonly endedAt?: string | undefined;
  readonly controlTotal: number;
  /** Number of loads of the LOB that come before this one; present while it waits. */
  readonly ahead?: number;
  /** Sums over the finished ranges if the load is running, failed or cancelled. */
  readonly counts: LoadCounts;
  /** Key of the report in the ingest bucket. */
  readonly report: string;
}

export interface LoadFileSummary {
  readonly name: string;
  readonly type: string;
  readonly controlTotal: number;
  readonly counts: LoadCounts;
  readonly refusal?: string | undefined;
  readonly ranges: number;
  readonly openRanges: number;
}

/** A reject with the file of its row. */
export type FileReject = RowReject & { readonly file: string };

/** The newest load of the directory of a LOB, and its rows that were not loaded. */
export interface DirectoryRejects {
  readonly lob: LineOfBusiness;
  readonly load: LoadSummary;
  /** Files that were not loaded as a whole. */
  readonly refusedFiles: readonly { readonly name: string; readonly problem: string; readonly fix: string }[];
  /** Rejects by code, those with most rows first, each with up to three examples. */
  readonly rejects: readonly {
    readonly code: RejectCode;
    readonly problem: string;
    readonly fix: string;
    readonly rows: number;
    readonly examples: readonly FileReject[];
  }[];
  /** Number of rejects that `rejects` counts, if not all were read. */
  readonly readRejects?: number;
}

/** `nothing_to_retry`: the load is reconciled, and none of its rows was rejected. */
export type LoadOperationRefusal = 'no_such_load' | 'not_in_this_state' | 'nothing_to_retry';

export type LoadOperationAnswer =
  | { readonly kind: 'bucket'; readonly bucket: string }
  /** Newest loads first. `next` is the `after` of the next page, if there are older loads. */
  | { readonly kind: 'list'; readonly loads: readonly LoadSummary[]; readonly next?: string }
  | { readonly kind: 'show'; readonly load: LoadSummary; readonly files: readonly LoadFileSummary[] }
  /** `text` is NDJSON with one reject on each line. */
  | { readonly kind: 'rejects'; readonly text: string; readonly next?: number }
  | { readonly kind: 'directory-rejects'; readonly loads: readonly DirectoryRejects[] }
  /** `rejected` is the number of rejected rows that a retry reads again. */
  | { readonly kind: 'done'; readonly state: LoadState; readonly rejected?: number }
  | Sweep
  | { readonly kind: 'freshness'; readonly clocks: readonly FreshnessView[] }
  | { readonly kind: 'refused'; readonly reason: LoadOperationRefusal };
