/** Compares the dates of care of a resource with a period. */

import { type DateRange, endOf, startOf } from './date-range.ts';

/**
 * Whether care given on these dates lies between two dates. A resource without dates of care does. An undefined start or end sets no limit.
 */
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
