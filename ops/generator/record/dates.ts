/** Date arithmetic of synthetic claims. */

const dayMilliseconds = 86_400_000;

/**
 * Last month of claims and health records, `YYYY-MM`. If you change it, increase `contentVersion` too, because courses of treatment then
 * last longer.
 */
export const lastMonth = '2026-10';

/**
 * The months from one to another, both included, at a distance of `step` months.
 *
 * @param from `YYYY-MM`, like `to`.
 */
export function monthsBetween(from: string, to: string, step: number): readonly string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = monthAfter(month, step)) months.push(month);
  return months;
}

/**
 * Adds months to a month.
 *
 * @param month `YYYY-MM`.
 */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/**
 * Adds days to a date.
 *
 * @param date `YYYY-MM-DD`.
 */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMilliseconds).toISOString().slice(0, 10);
}

/** The first day of a time's month, in UTC. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`;
}

/** Number of months since the generator's first one, for versions of content that changes each month. */
export function monthsSince(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return (year - 2026) * 12 + number - 1;
}
