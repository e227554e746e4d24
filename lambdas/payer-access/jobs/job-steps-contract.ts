/** Requests and responses of the function `payer-jobs`, which the state machine of jobs invokes. */

import * as z from 'zod/mini';

const jobId = z.string();

/** A step of the state machine. */
export const jobStep = z.discriminatedUnion('step', [
  /** Asks whether the job may start; repeated until it may. */
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
  /** The state machine repeats the step after `seconds`. */
  | { readonly kind: 'waiting'; readonly seconds: number }
  | {
      readonly kind: 'wave';
      readonly parts: readonly { readonly jobId: string; readonly part: number }[];
      readonly partsAtOnce: number;
    }
  /** All parts are recorded. */
  | { readonly kind: 'carried-out' }
  /** The job is not running: the execution waits until the job expires. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'done' };
