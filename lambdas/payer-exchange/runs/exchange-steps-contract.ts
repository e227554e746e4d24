/** Requests and responses of the function `exchange-steps`, which the state machine of runs, a schedule and the operator's CLI invoke. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';

export const exchangeStep = z.strictObject({
  /** `fail` after a step that failed at each attempt. */
  step: z.enum(['next', 'fail']),
  lob: z.enum(lineOfBusinessCodes),
  runId: z.string(),
});
export type ExchangeStep = z.infer<typeof exchangeStep>;

export type ExchangeStepAnswer =
  | { readonly kind: 'again' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'ended' };

/** Sent by a schedule and the operator's CLI: begins the runs that are due. */
export const runsBegin = z.strictObject({ action: z.literal('begin') });

export interface RunsBegunAnswer {
  readonly kind: 'begun';
  readonly runs: readonly {
    readonly lob: string;
    readonly runId: string;
    readonly payerId: string;
    readonly members: number;
  }[];
}
