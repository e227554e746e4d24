import { describe, expect, it } from 'vitest';
import { dateRange, periodRange } from '../../../lambdas/fhir/values/date-range.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';

/** The expected range of two instants. */
const between = (start: string, end: string) => [Date.parse(start), Date.parse(end)];

describe('the range of a date', () => {
  it.each([
    ['2026', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2024', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
    ['0001', '0001-01-01T00:00:00Z', '0002-01-01T00:00:00Z'],
    ['0099', '0099-01-01T00:00:00Z', '0100-01-01T00:00:00Z'],
    ['9999', '9999-01-01T00:00:00Z', '+010000-01-01T00:00:00Z'],
    ['2026-01', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['2026-02', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['2024-02', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['2026-12', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2026-03-14', '2026-03-14T00:00:00Z', '2026-03-15T00:00:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['2000-02-29', '2000-02-29T00:00:00Z', '2000-03-01T00:00:00Z'],
    ['2026-12-31', '2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['1969-12-31', '1969-12-31T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['9999-12-31', '9999-12-31T00:00:00Z', '+010000-01-01T00:00:00Z'],
    ['2026-03-14T10:30', '2026-03-14T10:30:00Z', '2026-03-14T10:31:00Z'],
    ['2026-03-14T10:30Z', '2026-03-14T10:30:00Z', '2026-03-14T10:31:00Z'],
    ['2026-03-14T10:30-05:00', '2026-03-14T15:30:00Z', '2026-03-14T15:31:00Z'],
    ['2026-03-14T10:30:15Z', '2026-03-14T10:30:15Z', '2026-03-14T10:30:16Z'],
    ['2026-03-14T10:30:15', '2026-03-14T10:30:15Z', '2026-03-14T10:30:16Z'],
    ['2026-03-14T00:00:00+14:00', '2026-03-13T10:00:00Z', '2026-03-13T10:00:01Z'],
    ['2026-03-14T23:59:59-12:00', '2026-03-15T11:59:59Z', '2026-03-15T12:00:00Z'],
    ['2026-03-14T10:30:15+05:30', '2026-03-14T05:00:15Z', '2026-03-14T05:00:16Z'],
    ['2026-03-14T10:30:15.5Z', '2026-03-14T10:30:15.500Z', '2026-03-14T10:30:15.600Z'],
    ['2026-03-14T10:30:15.25Z', '2026-03-14T10:30:15.250Z', '2026-03-14T10:30:15.260Z'],
    ['2026-03-14T10:30:15.123Z', '2026-03-14T10:30:15.123Z', '2026-03-14T10:30:15.124Z'],
    ['2026-03-14T10:30:15.123456+00:00', '2026-03-14T10:30:15.123Z', '2026-03-14T10:30:15.124Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z', '2017-01-01T00:00:01Z'],
  ])('%s is from %s up to %s', (text, start, end) => {
    expect(dateRange(text)).toEqual(between(start, end));
  });

  it.each([
    ['1960-00-00', '1960'],
    ['1960-00', '1960'],
    ['1960-05-00', '1960-05'],
    ['1960-00-17', '1960'],
    ['2024-02-00', '2024-02'],
  ])('%s, with an unknown month or day, is that of %s', (text, same) => {
    expect(dateRange(text)).toEqual(dateRange(same));
  });

  it.each([
    '',
    ' ',
    '26',
    '202',
    '20261',
    '0000',
    '2026-1',
    '2026-13',
    '2026-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-01-32',
    '2026-00-32',
    '2026-3-14',
    '2026/03/14',
    '20260314',
    '2026-03-14T',
    '2026-03-14T10',
    '2026-03-14T24:00',
    '2026-03-14T10:60',
    '2026-03-14T10:30:61',
    '2026-03-14T10:30:15.',
    '2026-03-14T10:30:15.Z',
    `2026-03-14T10:30:15.${'1'.repeat(21)}Z`,
    '2026-03-14T10:30:15+15:00',
    '2026-03-14T10:30:15+05:60',
    '2026-03-14T10:30:15+5:00',
    '2026-03-14T10:30:15z',
    '2026-03-14t10:30:15Z',
    '2026-03-14 10:30',
    '1960-00-00T10:30Z',
    '1960-05-00T10:30Z',
    '2026-03-14Z',
    ' 2026',
    '2026 ',
    '2026\n',
    '٢٠٢٦',
    'ge2026',
    'yesterday',
    null,
    undefined,
    2026,
    true,
    {},
    [],
    ['2026'],
  ])('of %j there is none', (value) => {
    expect(dateRange(value)).toBeUndefined();
  });

  it('holds the instant it is written for, at every offset and precision', () => {
    const instants = fc.record({
      time: fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
      minutes: fc.integer({ min: -14 * 60, max: 14 * 60 }),
      length: fc.constantFrom(4, 7, 10, 16, 19, 21, 22, 23),
    });
    fc.assert(
      fc.property(instants, ({ time, minutes, length }) => {
        const local = new Date(time.getTime() + (length > 10 ? minutes : 0) * 60_000).toISOString();
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const two = (number: number) => String(number).padStart(2, '0');
        const offset = length > 10 ? `${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}` : '';
        const [start = 0, end = 0] = dateRange(`${local.slice(0, length)}${offset}`) ?? [];
        expect(start).toBeLessThanOrEqual(time.getTime());
        expect(end).toBeGreaterThan(time.getTime());
      }),
    );
  });

  it('of a longer text lies within that of a shorter', () => {
    const whole = '2026-03-14T10:30:15.123Z';
    const texts = ['2026', '2026-03', '2026-03-14', '2026-03-14T10:30Z', '2026-03-14T10:30:15Z', whole];
    const ranges = texts.map((text) => dateRange(text) ?? []);
    for (const [index, [start, end]] of ranges.slice(1).entries()) {
      expect(start).toBeGreaterThanOrEqual(ranges[index]?.[0] ?? Number.NaN);
      expect(end).toBeLessThanOrEqual(ranges[index]?.[1] ?? Number.NaN);
    }
  });

  it('is read of any text in time that grows with its length', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect([undefined, 2]).toContain(dateRange(text)?.length);
      }),
    );
    const before = process.threadCpuUsage();
    for (const text of [
      `2026-03-14T10:30:15.${'9'.repeat(1_000_000)}`,
      '-'.repeat(1_000_000),
      '0'.repeat(1_000_000),
    ]) {
      expect(dateRange(text)).toBeUndefined();
    }
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe('the range of a Period', () => {
  const march = dateRange('2026-03-05')?.[0];
  const april = dateRange('2026-04-05')?.[1];
  it.each([
    [{ start: '2026-03-05', end: '2026-04-05' }, [march, april]],
    [{ start: '2026-03-05' }, [march, null]],
    [{ end: '2026-04-05' }, [null, april]],
    [{ start: '2026-03-05', end: '2026-03-05' }, dateRange('2026-03-05')],
    [{ start: '2026', end: '2026' }, dateRange('2026')],
    [{ start: '2026-03-05T10:00:00Z', end: '2026-04-05' }, [Date.parse('2026-03-05T10:00:00Z'), april]],
    [{ start: '2026-03-05', end: '9999-12-31' }, [march, Date.parse('+010000-01-01T00:00:00Z')]],
  ])('%j is from its start through its end, open where one is missing', (period, range) => {
    expect(periodRange(period)).toEqual(range);
  });

  it.each([
    {},
    { start: 'soon', end: '2026' },
    { start: '2026', end: 'later' },
    { start: null },
    { start: '2026-04-05', end: '2026-03-05' },
    { id: 'x' },
    [],
    null,
    undefined,
    '2026',
    7,
  ])('of %j there is none', (value) => {
    expect(periodRange(value)).toBeUndefined();
  });
});
