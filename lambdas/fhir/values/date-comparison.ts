/** Compares a date parameter, with its prefix, with a stored range. */

import { type DateRange, endOf, startOf } from './date-range.ts';

/** Prefixes of a date in a query (R4, search.html#prefix). */
export const datePrefixes = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap'] as const;
export type DatePrefix = (typeof datePrefixes)[number];

/** A date in a query: its prefix, and the range that its precision covers. */
export interface DateQuery {
  readonly prefix: DatePrefix;
  readonly range: DateRange;
}

type Rule = (asked: DateRange, value: DateRange) => boolean;

const contains: Rule = (asked, value) => startOf(asked) <= startOf(value) && endOf(value) <= endOf(asked);
const reachesAbove: Rule = (asked, value) => endOf(value) > endOf(asked);
const reachesBelow: Rule = (asked, value) => startOf(value) < startOf(asked);

/** The rule of each prefix, as R4 words it for the ranges of both values (R4, search.html#prefix). */
const rules: Readonly<Record<DatePrefix, Rule>> = {
  eq: contains,
  ne: (asked, value) => !contains(asked, value),
  gt: reachesAbove,
  lt: reachesBelow,
  ge: (asked, value) => reachesAbove(asked, value) || contains(asked, value),
  le: (asked, value) => reachesBelow(asked, value) || contains(asked, value),
  sa: (asked, value) => startOf(value) >= endOf(asked),
  eb: (asked, value) => endOf(value) <= startOf(asked),
  ap: (asked, value) => startOf(value) < endOf(asked) && startOf(asked) < endOf(value),
};

/** Whether a resource's date satisfies the date of a query. */
export function dateMatches({ prefix, range }: DateQuery, value: DateRange): boolean {
  return rules[prefix](range, value);
}

/**
 * The range that `ap` matches: the date's, extended on both sides by a tenth of the time between the date and now (R4, search.html#prefix).
 */
export function approximately(range: DateRange, now: number): DateRange {
  const margin = Math.abs(now - startOf(range)) / 10;
  return [startOf(range) - margin, endOf(range) + margin];
}
