import { describe, expect, it } from 'vitest';
import {
  approximately,
  type DatePrefix,
  dateMatches,
  datePrefixes,
} from '../../../lambdas/fhir/values/date-comparison.ts';
import { type DateRange, dateRange, periodRange } from '../../../lambdas/fhir/values/date-range.ts';
import fc from '../../support/property.ts';

type Value = string | { readonly start?: string; readonly end?: string };

function rangeOf(value: Value): DateRange {
  const range = typeof value === 'string' ? dateRange(value) : periodRange(value);
  if (range === undefined) throw new Error(`no date: ${JSON.stringify(value)}`);
  return range;
}

function prefixesThatMatch(asked: string, value: Value): DatePrefix[] {
  return datePrefixes.filter((prefix) => dateMatches({ prefix, range: rangeOf(asked) }, rangeOf(value)));
}

/** Expected results, derived from the text of R4 (search.html#prefix) and not from the code. */
const table: readonly (readonly [asked: string, value: Value, prefixes: string])[] = [
  // A day.
  ['2026-03-14', '2026-03-14', 'eq ge le ap'],
  ['2026-03-14', '2026-03-14T00:00:00Z', 'eq ge le ap'],
  ['2026-03-14', '2026-03-14T10:00:00Z', 'eq ge le ap'],
  ['2026-03-14', '2026-03-14T23:59:59.999Z', 'eq ge le ap'],
  ['2026-03-14', '2026-03-15T00:00:00Z', 'ne gt ge sa'],
  ['2026-03-14', '2026-03-13T23:59:59Z', 'ne lt le eb'],
  ['2026-03-14', '2026-03-14T22:00:00-05:00', 'ne gt ge sa'],
  ['2026-03-14', '2026-03-14T02:00:00+05:00', 'ne lt le eb'],
  ['2026-03-14', '2026-03-13', 'ne lt le eb'],
  ['2026-03-14', '2026-03-15', 'ne gt ge sa'],
  ['2026-03-14', '2026-03', 'ne gt lt ge le ap'],
  ['2026-03-14', '2026', 'ne gt lt ge le ap'],
  ['2026-03-14', '2025', 'ne lt le eb'],
  ['2026-03-14', '2027', 'ne gt ge sa'],
  // A day against a Period.
  ['2026-03-14', { start: '2026-03-10', end: '2026-03-20' }, 'ne gt lt ge le ap'],
  ['2026-03-14', { start: '2026-03-14', end: '2026-03-14' }, 'eq ge le ap'],
  ['2026-03-14', { start: '2026-03-14', end: '2026-03-16' }, 'ne gt ge ap'],
  ['2026-03-14', { start: '2026-03-12', end: '2026-03-14' }, 'ne lt le ap'],
  ['2026-03-14', { start: '2026-03-15', end: '2026-03-16' }, 'ne gt ge sa'],
  ['2026-03-14', { start: '2026-03-12', end: '2026-03-13' }, 'ne lt le eb'],
  ['2026-03-14', { start: '2026-01-21' }, 'ne gt lt ge le ap'],
  ['2026-03-14', { start: '2026-03-14' }, 'ne gt ge ap'],
  ['2026-03-14', { start: '2026-03-15' }, 'ne gt ge sa'],
  ['2026-03-14', { end: '2026-03-10' }, 'ne lt le eb'],
  ['2026-03-14', { end: '2026-03-14' }, 'ne lt le ap'],
  ['2026-03-14', { end: '2026-03-20' }, 'ne gt lt ge le ap'],
  ['2026-03-14', { start: '2026-03-14T08:00:00Z', end: '2026-03-14T09:00:00Z' }, 'eq ge le ap'],
  ['2026-03-14', { start: '2026-03-14T08:00:00Z', end: '2026-03-15T09:00:00Z' }, 'ne gt ge ap'],
  // A month.
  ['2026-03', '2026-03-01', 'eq ge le ap'],
  ['2026-03', '2026-03-31', 'eq ge le ap'],
  ['2026-03', '2026-03', 'eq ge le ap'],
  ['2026-03', '2026-04-01', 'ne gt ge sa'],
  ['2026-03', '2026-02-28', 'ne lt le eb'],
  ['2026-03', '2026', 'ne gt lt ge le ap'],
  ['2026-03', { start: '2026-02-20', end: '2026-03-05' }, 'ne lt le ap'],
  ['2026-03', { start: '2026-03-20', end: '2026-04-05' }, 'ne gt ge ap'],
  ['2026-03', { start: '2026-03-01', end: '2026-03-31' }, 'eq ge le ap'],
  ['2026-03', { start: '2026-02-28', end: '2026-04-01' }, 'ne gt lt ge le ap'],
  // A year, and dates of which a part is unknown.
  ['1960', '1960-00-00', 'eq ge le ap'],
  ['1960', '1960-05-00', 'eq ge le ap'],
  ['1960', '1961-01-01', 'ne gt ge sa'],
  ['1960', '1959-00-00', 'ne lt le eb'],
  ['1960-05', '1960-00-00', 'ne gt lt ge le ap'],
  ['1960-05-17', '1960-00-00', 'ne gt lt ge le ap'],
  ['1960-05-17', '1960-05-00', 'ne gt lt ge le ap'],
  ['1960-05-01', '1960-05-00', 'ne gt ge ap'],
  ['1960-12-31', '1960-00-00', 'ne lt le ap'],
  ['1960-00-00', '1960-05-17', 'eq ge le ap'],
  // Times.
  ['2026-03-14T10:30', '2026-03-14T10:30:59Z', 'eq ge le ap'],
  ['2026-03-14T10:30', '2026-03-14T10:31:00Z', 'ne gt ge sa'],
  ['2026-03-14T10:30Z', '2026-03-14', 'ne gt lt ge le ap'],
  ['2026-03-14T10:30-05:00', '2026-03-14T15:30:10Z', 'eq ge le ap'],
  ['2026-03-14T10:30:15Z', '2026-03-14T10:30:15Z', 'eq ge le ap'],
  ['2026-03-14T10:30:15Z', '2026-03-14T10:30:15.999Z', 'eq ge le ap'],
  ['2026-03-14T10:30:15Z', '2026-03-14T10:30:16Z', 'ne gt ge sa'],
  ['2026-03-14T10:30:15Z', '2026-03-14T10:30:14Z', 'ne lt le eb'],
  ['2026-03-14T10:30:15.123Z', '2026-03-14T10:30:15.123Z', 'eq ge le ap'],
  ['2026-03-14T10:30:15.123Z', '2026-03-14T10:30:15.124Z', 'ne gt ge sa'],
  ['2026-03-14T10:30:15.123Z', '2026-03-14T10:30:15Z', 'ne gt lt ge le ap'],
  ['2026-03-14T00:00:00Z', '2026-03-14', 'ne gt ge ap'],
  ['2026-03-14T23:59:59Z', '2026-03-14', 'ne lt le ap'],
];

describe('a date of a query', () => {
  it.each(table)('%s against %j satisfies %s, and no other prefix', (asked, value, prefixes) => {
    expect(prefixesThatMatch(asked, value).join(' ')).toBe(prefixes);
  });

  it('means what R4 says of the points of time in both ranges', () => {
    const end = 12;
    const points = Array.from({ length: end }, (_, point) => point);
    const ranges = fc
      .tuple(fc.nat({ max: end - 1 }), fc.nat({ max: end - 1 }))
      .map(([a, b]): DateRange => [Math.min(a, b), Math.max(a, b) + 1]);
    const within = ([start, stop]: DateRange) =>
      points.filter((point) => point >= (start ?? 0) && point < (stop ?? end));
    fc.assert(
      fc.property(ranges, ranges, (asked, value) => {
        const [first, last] = [within(asked).at(0) ?? 0, within(asked).at(-1) ?? 0];
        const held = within(value);
        const contained = held.every((point) => within(asked).includes(point));
        const [above, below] = [held.some((point) => point > last), held.some((point) => point < first)];
        const said: Record<DatePrefix, boolean> = {
          eq: contained,
          ne: !contained,
          gt: above,
          lt: below,
          ge: above || contained,
          le: below || contained,
          sa: held.every((point) => point > last),
          eb: held.every((point) => point < first),
          ap: held.some((point) => within(asked).includes(point)),
        };
        for (const prefix of datePrefixes) {
          expect([prefix, dateMatches({ prefix, range: asked }, value)]).toEqual([prefix, said[prefix]]);
        }
      }),
    );
  });
});

describe('what ap takes for near', () => {
  const now = Date.parse('2026-11-20T00:00:00Z');
  it.each([
    // The approximation of a date is a tenth of its distance from the present: 10 days to either side of a day 100 days ago.
    ['2026-08-12', '2026-08-02', true],
    ['2026-08-12', '2026-08-22', true],
    ['2026-08-12', '2026-08-01', false],
    ['2026-08-12', '2026-08-23', false],
    ['2026-11-20', '2026-11-20', true],
    ['2026-11-20', '2026-11-19', false],
    // One day to either side of a day in 10 days.
    ['2026-11-30', '2026-12-01', true],
    ['2026-11-30', '2026-12-02', false],
  ])('%s: is %s near? %s', (asked, value, near) => {
    const range = approximately(rangeOf(asked), now);
    expect(dateMatches({ prefix: 'ap', range }, rangeOf(value))).toBe(near);
  });
});
