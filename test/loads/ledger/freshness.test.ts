import { describe, expect, it } from 'vitest';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { freshUntil, readFreshness, syntheticSource } from '../../../lambdas/loads/ledger/freshness.ts';

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

  it('of synthetic members is never late, because no system of the plan sends their drops', async () => {
    const clocks = async () => [clock('2026-11-23T02:00:00Z', syntheticSource)];
    expect(await readFreshness({ clocks }, Date.parse('2027-01-01T00:00:00Z'))).toEqual([]);
  });
});
