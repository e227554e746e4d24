/** Requests and responses of the function `payer-jobs`, which the state machine of jobs invokes. */

import * as z from 'zod/mini';

const jobId = z.string();

/** A step of the state machine. */
export const jobStep = z.discriminatedUnion('step', [
  /** Repeated until it is the job's turn. */
  z.strictObject({ step: z.literal('admit'), jobId }),
  z.strictObject({ step: z.literal('next'), jobId }),
  z.strictObject({ step: z.literal('part'), jobId, part: z.int().check(z.positive()) }),
  z.strictObject({ step: z.literal('finish'), jobId }),
  z.strictObject({ step: z.literal('fail'), jobId }),
  z.strictObject({ step: z.literal('expire'), jobId }),
]);
export type JobStep = z.infer<typeof jobStep>;

export type JobStepAnswer =
  | { readonly kind: 'admitted' }
  /** Repeat the step after so many seconds. */
  | { readonly kind: 'waiting'; readonly seconds: number }
  | {
      readonly kind: 'wave';
      readonly parts: readonly { readonly jobId: string; readonly part: number }[];
      readonly partsAtOnce: number;
    }
  /** All parts are recorded. */
  | { readonly kind: 'carried-out' }
  /** The job is not running: nothing is left to do until it expires. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'done' };
