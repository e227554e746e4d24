/** Requests and responses of the function `load-steps`, which the loads' state machine calls. */

import * as z from 'zod/mini';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { LoadState } from '../ledger/load.ts';
import type { Admission } from './admission.ts';

const loadName = { lob: z.enum(lineOfBusinessCodes), jobId: z.string() };

/** The members of EventBridge's event for a new S3 object ("Object Created") that are used, or an operator's retry. */
const loadEvent = z.object({
  detail: z.optional(z.object({ object: z.object({ key: z.string(), 'version-id': z.string() }) })),
  retry: z.optional(z.strictObject(loadName)),
});

/** A request of the loads' state machine to `load-steps`: one step of a load. */
export const loadStep = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('accept'), event: loadEvent, execution: z.string() }),
  /** Asks whether the load may start; repeated until it may. */
  z.strictObject({ step: z.literal('admit'), ...loadName, execution: z.string() }),
  z.strictObject({ step: z.literal('plan'), ...loadName, file: z.int() }),
  /** Plans the next wave. `after` is the wave that ended; -1 before the first. */
  z.strictObject({ step: z.literal('next'), ...loadName, after: z.int() }),
  z.strictObject({ step: z.literal('finish'), ...loadName }),
  z.strictObject({ step: z.literal('fail'), lob: z.optional(loadName.lob), jobId: z.optional(z.string()) }),
]);
export type LoadStep = z.infer<typeof loadStep>;

export type LoadRefusal = 'not_a_drop' | 'manifest_gone' | 'manifest_invalid' | 'no_such_load';

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
  /** Another execution carries out, or carried out, the load of this drop. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly reason: LoadRefusal }
  | { readonly kind: 'planned' }
  | Admission
  /** `key` is the object with the wave's ranges, a JSON array; `rangesAtOnce` the number of ranges to load at once. */
  | { readonly kind: 'wave'; readonly wave: number; readonly key: string; readonly rangesAtOnce: number }
  | { readonly kind: 'no-wave' }
  | {
      readonly kind: 'ended';
      readonly lob?: LineOfBusiness;
      readonly state: LoadState;
      /** The state machine's next task: a reconciled load of a directory starts a directory build. */
      readonly followUp: 'build-directory' | 'none';
    };
