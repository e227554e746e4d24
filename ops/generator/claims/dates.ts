/** Date arithmetic of synthetic claims. */

const dayMilliseconds = 86_400_000;

/** @param date `YYYY-MM-DD`. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMilliseconds).toISOString().slice(0, 10);
}

/** The first day of a moment's month, in UTC. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`;
}

/** Months from the generator's first one: content that follows the calendar has a version of its own in each. */
export function monthsSince(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return (year - 2026) * 12 + number - 1;
}
