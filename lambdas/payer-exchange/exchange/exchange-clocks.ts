/** The clocks of an exchange: when there is something to do, and by when it is due. */

import { type ExchangeState, exchangeDays } from '../../catalog/payer/exchange-states.ts';
import { dayMs } from '../../platform/kernel/business-days.ts';
import type { MemberExchange } from './member-exchange.ts';

/** Times that follow from a state; both ISO 8601. */
export interface ExchangeTimes {
  readonly nextAt?: string;
  readonly dueAt?: string;
}

/**
 * Whether another payer had to be asked before `now` (milliseconds since 1970), or must be within the days of the alarm. An offer is never
 * late: it has been made, and the member may take any time to choose.
 */
export function urgencyOf(
  { state, dueAt }: Pick<MemberExchange, 'state' | 'dueAt'>,
  now: number,
): 'late' | 'soon' | undefined {
  if (dueAt === undefined || state === 'offered') return undefined;
  const left = Date.parse(dueAt) - now;
  if (left <= 0) return 'late';
  return left <= exchangeDays.alarm * dayMs ? 'soon' : undefined;
}

/**
 * The times of an exchange that enters a state at `now` (milliseconds since 1970). The week to ask the other payer counts from the opt-in,
 * though the rule lets it wait until the payer is known. A due date that has begun to run stays: a corrected card or a failed run gives
 * nobody another week.
 */
export function timesIn(
  state: ExchangeState,
  exchange: Pick<MemberExchange, 'state' | 'coverageStart' | 'dueAt' | 'isConcurrent'>,
  now: number,
): ExchangeTimes {
  const at = (days: number) => new Date(now + days * dayMs).toISOString();
  // The due date of an offer is that of the offer alone.
  const running = exchange.state === 'offered' ? undefined : exchange.dueAt;
  const dueAt = running ?? at(exchangeDays.ask);
  switch (state) {
    case 'offered': {
      const start = Math.max(now, Date.parse(exchange.coverageStart ?? new Date(now).toISOString()));
      const due = new Date(start + exchangeDays.offer * dayMs).toISOString();
      return { nextAt: due, dueAt: due };
    }
    case 'opted-in':
    case 'payer-known':
    case 'due-again':
      return { nextAt: at(0), dueAt };
    case 'match-sent':
    case 'matched':
    case 'export-sent':
    case 'downloaded':
      // The run carries these on. If it ends without doing so, the sweep finds them by this time.
      return { nextAt: at(exchangeDays.failedAgain), dueAt };
    case 'no-match':
    case 'constrained':
      return { nextAt: at(exchangeDays.noMatchAgain) };
    case 'merged':
      return exchange.isConcurrent
        ? {
            nextAt: at(exchangeDays.quarter - exchangeDays.quarterHeadStart),
            dueAt: at(exchangeDays.quarter),
          }
        : {};
    case 'revoked':
      return {};
  }
}
