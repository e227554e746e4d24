/** Compares the dates of care of a resource with a period. */

import { type DateRange, endOf, startOf } from './date-range.ts';

/** Whether care that was given at some of these dates lies between two; what has no date of care does. An undefined end is open. */
export function isCareBetween(
  dates: readonly DateRange[],
  start: DateRange | undefined,
  end: DateRange | undefined,
): boolean {
  return (
    dates.length === 0 ||
    dates.some(
      (date) =>
        (start === undefined || endOf(date) > startOf(start)) &&
        (end === undefined || startOf(date) < endOf(end)),
    )
  );
}
