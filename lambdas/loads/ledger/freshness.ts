/** Freshness clocks: the time until which the data of a LOB's source counts as up to date. */

import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { businessDayAfter, dayMs } from '../../platform/kernel/business-days.ts';

/** The source of synthetic members' drops. The plan's systems don't send it, so no drop of it is ever late. */
export const syntheticSource = 'synthetic-members';

/** The freshness clock of one source of a LOB. Times are ISO 8601. */
export interface FreshnessClock {
  readonly lob: LineOfBusiness;
  readonly source: string;
  /** Time a drop of the source was last reconciled, ISO 8601. */
  readonly reconciledAt: string;
  readonly jobId: string;
}

/** Current state of a freshness clock. */
export interface FreshnessView {
  readonly lob: LineOfBusiness;
  readonly source: string;
  readonly reconciledAt: string;
  /** Time after which the next drop is late, ISO 8601. */
  readonly freshUntil: string;
  readonly late: boolean;
}

/**
 * The time by which the next drop must be reconciled: the end of the business day (UTC, without federal holidays) after the last reconciled
 * drop. Source: 42 CFR 422.119(c), no later than one business day.
 *
 * @returns milliseconds since 1970.
 */
export function freshUntil({ reconciledAt }: Pick<FreshnessClock, 'reconciledAt'>): number {
  return businessDayAfter(Date.parse(reconciledAt), 1) + dayMs;
}

/** Reads the clock of every source that the plan's systems send, and determines which are late, for the alarm, the operator's command and the portal's status page. */
export async function readFreshness(
  { clocks }: { readonly clocks: (lob: LineOfBusiness) => Promise<readonly FreshnessClock[]> },
  now: number,
): Promise<readonly FreshnessView[]> {
  const all = (await Promise.all(lineOfBusinessCodes.map((lob) => clocks(lob)))).flat();
  const sent = all.filter(({ source }) => source !== syntheticSource);
  return sent.map(({ lob, source, reconciledAt }) => {
    const until = freshUntil({ reconciledAt });
    return { lob, source, reconciledAt, freshUntil: new Date(until).toISOString(), late: now >= until };
  });
}
