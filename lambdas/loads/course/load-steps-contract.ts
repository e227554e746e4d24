/** Requests and answers of the function `load-steps`, which the state machine calls. */

import * as z from 'zod/mini';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { LoadState } from '../ledger/load-job.ts';
import type { Admission } from './admission.ts';

const jobName = { lob: z.enum(lineOfBusinessCodes), jobId: z.string() };

/** S3's event of EventBridge ("Object Created"), as far as it is read; or an operator's retry. */
const loadEvent = z.object({
  detail: z.optional(z.object({ object: z.object({ key: z.string(), 'version-id': z.string() }) })),
  retry: z.optional(z.strictObject(jobName)),
});

/** Request of the loads' state machine to the function `load-steps`, one step at a time. */
export const loadStep = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('accept'), event: loadEvent, execution: z.string() }),
  /** Repeated until it is the job's turn. */
  z.strictObject({ step: z.literal('admit'), ...jobName, execution: z.string() }),
  z.strictObject({ step: z.literal('plan'), ...jobName, file: z.int() }),
  /** `after`: the wave that has ended; -1 for none. */
  z.strictObject({ step: z.literal('next'), ...jobName, after: z.int() }),
  z.strictObject({ step: z.literal('finish'), ...jobName }),
  z.strictObject({ step: z.literal('fail'), lob: z.optional(jobName.lob), jobId: z.optional(z.string()) }),
]);
export type LoadStep = z.infer<typeof loadStep>;

export type LoadRefusal = 'not_a_drop' | 'manifest_gone' | 'manifest_invalid' | 'no_such_job';

export type LoadStepAnswer =
  | {
      readonly kind: 'accepted';
      readonly lob: LineOfBusiness;
      readonly jobId: string;
      readonly files: readonly {
        readonly lob: LineOfBusiness;
        readonly jobId: string;
        readonly file: number;
      }[];
    }
  /** Another execution has, or had, this drop. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly reason: LoadRefusal }
  | { readonly kind: 'planned' }
  | Admission
  /** `key`: the object with the wave's ranges, a JSON array; `atOnce`: how many of them are loaded at once. */
  | { readonly kind: 'wave'; readonly wave: number; readonly key: string; readonly rangesAtOnce: number }
  | { readonly kind: 'no-wave' }
  | {
      readonly kind: 'ended';
      readonly lob?: LineOfBusiness;
      readonly state: LoadState;
      /** The state machine's next task: a reconciled load of a directory starts a build. */
      readonly followUp: 'build-directory' | 'none';
    };
