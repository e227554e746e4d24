/** Requests and responses of the function `load-operations`, which operators (`npm run ops -- loads`) and an hourly schedule invoke. */

import * as z from 'zod/mini';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { FreshnessView } from '../ledger/freshness.ts';
import type { LoadCounts, LoadEndReason, LoadState } from '../ledger/load-job.ts';
import type { Sweep } from './sweep-loads.ts';

const lob = z.enum(lineOfBusinessCodes);
const jobIdForm = /^[a-z0-9][a-z0-9-]{0,39}\.[0-9a-f]{8}$/;
const jobName = { lob, jobId: z.string().check(z.regex(jobIdForm)) };

/** Whether a text has the form of a load's id. */
export function isJobId(text: string): boolean {
  return jobIdForm.test(text);
}

/** Request of an operator, or of the hourly schedule, to the function `load-operations`. */
export const loadOperation = z.discriminatedUnion('action', [
  /** Asks for the bucket that drops are uploaded to. */
  z.strictObject({ action: z.literal('bucket') }),
  z.strictObject({
    action: z.literal('list'),
    lob,
    limit: z._default(z.int().check(z.minimum(1), z.maximum(50)), 20),
    /** The last load of the page before. */
    after: z.optional(jobName.jobId),
  }),
  z.strictObject({ action: z.literal('show'), ...jobName }),
  /** The rejects of a job, a page at a time. `after`: the `next` of the page before. */
  z.strictObject({ action: z.literal('rejects'), ...jobName, after: z.optional(z.int()) }),
  z.strictObject({ action: z.literal('cancel'), ...jobName }),
  /** Loads again what was not loaded or rejected. */
  z.strictObject({ action: z.literal('retry'), ...jobName }),
  z.strictObject({ action: z.literal('freshness') }),
  /** Starts each drop that has no load, and fails each load whose execution ended without finishing it. */
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
  /** Loads of the LOB that come before it; while it waits for its turn. */
  readonly ahead?: number;
  /** Sums of the finished ranges, while the load runs and if it failed or was cancelled. */
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

/** `nothing_to_retry`: the load is reconciled, and none of its rows was rejected. */
export type LoadOperationRefusal = 'no_such_load' | 'not_in_this_state' | 'nothing_to_retry';

export type LoadOperationAnswer =
  | { readonly kind: 'bucket'; readonly bucket: string }
  /** Newest first. `next`: the `after` of older loads, where there are any. */
  | { readonly kind: 'list'; readonly loads: readonly LoadSummary[]; readonly next?: string }
  | { readonly kind: 'show'; readonly load: LoadSummary; readonly files: readonly LoadFileSummary[] }
  /** `text`: NDJSON, a reject a line. */
  | { readonly kind: 'rejects'; readonly text: string; readonly next?: number }
  /** `rejected`: rows that a retry reads again because they were rejected. */
  | { readonly kind: 'done'; readonly state: LoadState; readonly rejected?: number }
  | Sweep
  | { readonly kind: 'freshness'; readonly clocks: readonly FreshnessView[] }
  | { readonly kind: 'refused'; readonly reason: LoadOperationRefusal };
