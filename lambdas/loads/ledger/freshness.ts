/** Freshness clock: until when a LOB's data counts as up to date. An older version of a row is `row-decisions.ts`. */

import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { dayMs, isBusinessDay } from './business-days.ts';

/** The freshness clock of one source of a LOB. Times are ISO 8601. */
export interface FreshnessClock {
  readonly lob: LineOfBusiness;
  readonly source: string;
  /** Time a drop of the source was last reconciled, ISO 8601. */
  readonly reconciledAt: string;
  readonly jobId: string;
}

/** State of a freshness clock now. */
export interface FreshnessView {
  readonly lob: LineOfBusiness;
  readonly source: string;
  readonly reconciledAt: string;
  /** The next drop is late from here on. */
  readonly freshUntil: string;
  readonly late: boolean;
}

/**
 * The end of the business day (UTC; federal holidays are none) after the last reconciled drop: by then the next one is reconciled.
 * Source: 42 CFR 422.119(c): no later than one business day.
 *
 * @returns milliseconds since 1970.
 */
export function freshUntil({ reconciledAt }: Pick<FreshnessClock, 'reconciledAt'>): number {
  let day = Math.floor(Date.parse(reconciledAt) / dayMs) * dayMs + dayMs;
  while (!isBusinessDay(day)) day += dayMs;
  return day + dayMs;
}

/** Reads every clock, and says who is late: for the alarm, the operator's command and the portal's status page. */
export async function readFreshness(
  { clocks }: { readonly clocks: (lob: LineOfBusiness) => Promise<readonly FreshnessClock[]> },
  now: number,
): Promise<readonly FreshnessView[]> {
  const all = (await Promise.all(lineOfBusinessCodes.map((lob) => clocks(lob)))).flat();
  return all.map(({ lob, source, reconciledAt }) => {
    const until = freshUntil({ reconciledAt });
    return { lob, source, reconciledAt, freshUntil: new Date(until).toISOString(), late: now >= until };
  });
}
