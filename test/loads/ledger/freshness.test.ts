import { describe, expect, it } from 'vitest';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { dayMs, isBusinessDay } from '../../../lambdas/loads/ledger/business-days.ts';
import { freshUntil, readFreshness } from '../../../lambdas/loads/ledger/freshness.ts';

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

describe('a freshness clock', () => {
  const clock = (reconciledAt: string, source = 'claims') => ({
    ...{ lob: 'DSNP' as LineOfBusiness, source, reconciledAt, jobId: 'd1.00000000' },
  });

  it.each([
    ['2026-11-23T02:00:00Z', '2026-11-25T00:00:00.000Z'],
    ['2026-11-27T23:00:00Z', '2026-12-01T00:00:00.000Z'],
    ['2026-11-28T12:00:00Z', '2026-12-01T00:00:00.000Z'],
    // The day before Thanksgiving.
    ['2026-11-25T12:00:00Z', '2026-11-28T00:00:00.000Z'],
    // The Thursday before Independence Day, a Saturday in 2026.
    ['2026-07-02T12:00:00Z', '2026-07-07T00:00:00.000Z'],
  ])('of %s runs to the end of the next business day', async (reconciledAt, until) => {
    expect(new Date(freshUntil({ reconciledAt })).toISOString()).toBe(until);
    const ledger = { clocks: async (lob: LineOfBusiness) => (lob === 'DSNP' ? [clock(reconciledAt)] : []) };
    const late = async (now: number) => (await readFreshness(ledger, now)).map((each) => each.late);
    expect(await late(Date.parse(until) - 1)).toEqual([false]);
    expect(await late(Date.parse(until))).toEqual([true]);
  });
});
