import type { LineOfBusiness } from '../catalog/lines-of-business.ts';

/** The freshness clock of one source of a LOB. Times are ISO 8601. */
export interface FreshnessClock {
  readonly lob: LineOfBusiness;
  readonly source: string;
  /** Time a drop of the source was last reconciled, ISO 8601. */
  readonly reconciledAt: string;
  readonly jobId: string;
}

const dayMs = 86_400_000;

/**
 * The end of the business day (Monday to Friday, UTC) after the last reconciled drop: by then the next one is reconciled.
 * Public holidays count as business days. Source: 42 CFR 422.119(c): no later than one business day.
 *
 * @returns milliseconds since 1970.
 */
export function freshUntil({ reconciledAt }: Pick<FreshnessClock, 'reconciledAt'>): number {
  const day = Math.floor(Date.parse(reconciledAt) / dayMs) * dayMs;
  // 0 is Sunday.
  const weekday = new Date(day).getUTCDay();
  const days = weekday === 5 ? 3 : weekday === 6 ? 2 : 1;
  return day + (days + 1) * dayMs;
}

/** Whether the source's next drop is late. */
export function isLate(clock: Pick<FreshnessClock, 'reconciledAt'>, now: number): boolean {
  return now >= freshUntil(clock);
}
