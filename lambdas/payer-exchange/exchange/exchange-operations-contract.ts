/** Requests and responses of the function `exchange-operations` about exchanges, which operators (`npm run ops -- payer-exchange`) and a schedule invoke. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { ExchangeState } from '../../catalog/payer/exchange-states.ts';

const lob = z.enum(lineOfBusinessCodes);

export const exchangeOperation = z.discriminatedUnion('action', [
  /** Counts the exchanges that have something to do, and, with a year, how many other payers were asked in time in it. */
  z.strictObject({
    action: z.literal('exchange-status'),
    lob,
    year: z.optional(z.int().check(z.gte(2026), z.lte(9998))),
  }),
  /** Describes the exchanges of a member. */
  z.strictObject({
    action: z.literal('exchange-explain'),
    lob,
    patientId: z.string().check(z.regex(/^[A-Za-z0-9.-]{1,64}$/)),
  }),
  /** Says which payer a member means by the name of a plan. */
  z.strictObject({
    action: z.literal('exchange-assign'),
    lob,
    patientId: z.string().check(z.regex(/^[A-Za-z0-9.-]{1,64}$/)),
    exchangeId: z.string().check(z.regex(/^[A-Za-z0-9.-]{1,64}$/)),
    payerId: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{1,31}$/)),
  }),
]);
export type ExchangeOperation = z.input<typeof exchangeOperation>;

/** Sent by a schedule: moves the exchanges on whose time has come. */
export const exchangeSweep = z.strictObject({ action: z.literal('sweep') });

/** Numbers of requests to other payers about members. */
export interface AskedInYear {
  readonly inTime: number;
  readonly late: number;
}

/** An exchange without the member's card. Times are ISO 8601. */
export interface ExchangeSummary {
  readonly exchangeId: string;
  readonly state: ExchangeState;
  readonly planName: string;
  readonly payerId?: string | undefined;
  readonly isConcurrent: boolean;
  readonly permissionUntil?: string | undefined;
  readonly nextAt?: string | undefined;
  readonly dueAt?: string | undefined;
  readonly runId?: string | undefined;
  readonly received?: { readonly at: string; readonly resources: number } | undefined;
  readonly because?: string | undefined;
  readonly changedAt: string;
}

export type ExchangeOperationAnswer =
  | {
      readonly kind: 'exchange-status';
      /** Exchanges with something to do, by state, and how many of them are past their due date. */
      readonly states: Readonly<Partial<Record<ExchangeState, number>>>;
      readonly overdue: number;
      /** Requests of a year to other payers about members, by their due date. */
      readonly asked?: AskedInYear;
    }
  | { readonly kind: 'exchange-explain'; readonly exchanges: readonly ExchangeSummary[] }
  | {
      readonly kind: 'refused';
      readonly reason: 'no_such_exchange' | 'no_such_payer' | 'not_in_this_state';
    };

/** Numbers of exchanges, by what a sweep did with them. */
export interface ExchangeSweepAnswer {
  readonly kind: 'swept';
  readonly askedAgain: number;
  /** Exchanges whose payer was found by the name of the plan. */
  readonly named: number;
  readonly ended: number;
  readonly overdue: number;
}
