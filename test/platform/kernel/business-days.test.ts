import { describe, expect, it } from 'vitest';
import { businessDayAfter, dayMs, isBusinessDay } from '../../../lambdas/platform/kernel/business-days.ts';

describe('federal holidays', () => {
  const observed = (year: number) =>
    Array.from({ length: 366 }, (_, at) => Date.UTC(year, 0, 1) + at * dayMs)
      .filter((day) => new Date(day).getUTCFullYear() === year)
      .filter((day) => ![0, 6].includes(new Date(day).getUTCDay()) && !isBusinessDay(day))
      .map((day) => new Date(day).toISOString().slice(5, 10));

  // Source: the Office of Personnel Management's lists of federal holidays.
  it.each([
    [2026, '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31'],
    [2028, '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25'],
  ])('of %i are observed on their days', (year, days) => {
    expect(observed(year).join(' ')).toBe(days);
  });
});

describe('a business day after a time', () => {
  it.each([
    ['2026-11-23T02:00:00Z', 1, '2026-11-24'],
    ['2026-11-27T23:00:00Z', 1, '2026-11-30'],
    // Five business days over Thanksgiving and a weekend.
    ['2026-11-20T10:00:00Z', 5, '2026-11-30'],
    ['2026-11-28T12:00:00Z', 5, '2026-12-04'],
  ])('%s is, as number %i, %s', (time, count, day) => {
    expect(new Date(businessDayAfter(Date.parse(time), count)).toISOString().slice(0, 10)).toBe(day);
  });
});
