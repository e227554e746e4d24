/** Requests and responses of the function `payer-jobs`, which the state machine of jobs invokes. */

import * as z from 'zod/mini';

const jobId = z.string();

/** A step of the state machine. */
export const jobStep = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('plan'), jobId }),
  z.strictObject({ step: z.literal('part'), jobId, part: z.int().check(z.positive()) }),
  z.strictObject({ step: z.literal('finish'), jobId }),
  z.strictObject({ step: z.literal('fail'), jobId }),
  z.strictObject({ step: z.literal('expire'), jobId }),
]);
export type JobStep = z.infer<typeof jobStep>;

export type JobStepAnswer =
  | {
      readonly kind: 'planned';
      readonly parts: readonly { readonly jobId: string; readonly part: number }[];
    }
  /** The job is not running: nothing is left to do until it expires. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'done' };
