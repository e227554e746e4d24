/** Requests and responses of the function `job-operations`, which operators (`npm run ops -- jobs`), the portal's console and a schedule invoke. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { JobKind } from '../../catalog/payer/job-kinds.ts';
import type { JobState } from '../../catalog/payer/job-states.ts';

const lob = z.enum(lineOfBusinessCodes);
const jobId = z.uuid();
/** Position of a job in the list: its acceptance time and ID. */
const position = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z#[0-9a-f-]{36}$/));

export const jobOperation = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('list'),
    lob,
    limit: z._default(z.int().check(z.minimum(1), z.maximum(50)), 20),
    /** `next` of the page before. */
    after: z.optional(position),
  }),
  z.strictObject({ action: z.literal('show'), lob, jobId }),
  /** Cancels a job, or removes the files of a job that has ended. */
  z.strictObject({
    action: z.literal('cancel'),
    lob,
    jobId,
    /** ID that connects the audit event with the request. */
    requestId: z.uuid(),
    /** The operator's account in the portal, if the request comes from the portal's console. */
    operatorId: z.optional(z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/))),
  }),
]);
/** Sent by a schedule: finds jobs of all LOBs whose executions ended without completing them. */
export const jobSweep = z.strictObject({ action: z.literal('sweep') });
/** IDs of the jobs whose executions ended without completing them. */
export interface JobSweepAnswer {
  readonly kind: 'swept';
  readonly lost: readonly string[];
}

export type JobOperation = z.input<typeof jobOperation>;

/** A job, without anything that its request contained about members. Times are ISO 8601. */
export interface JobSummary {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly clientId: string;
  readonly state: JobState;
  readonly members: number;
  readonly done: number;
  readonly acceptedAt: string;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A completed part of a job, with its files. */
export interface JobPartSummary {
  readonly part: number;
  readonly files: readonly { readonly name: string; readonly list: string; readonly count: number }[];
}

export type JobOperationAnswer =
  /** Newest first; `next` is present if there are older jobs. */
  | { readonly kind: 'list'; readonly jobs: readonly JobSummary[]; readonly next?: string }
  | { readonly kind: 'show'; readonly job: JobSummary; readonly parts: readonly JobPartSummary[] }
  | { readonly kind: 'cancelled'; readonly job: JobSummary }
  | { readonly kind: 'refused'; readonly reason: 'no_such_job' | 'not_in_this_state' };
