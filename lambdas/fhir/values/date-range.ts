/** A period from `start` up to, but not including, `end`, in milliseconds since 1970; null is an open end. Stored as JSON. */
export type DateRange = readonly [start: number | null, end: number | null];

const minute = 60_000;
const day = 24 * 60 * minute;
/** Every group has a fixed length or one possible end, so that matching takes time linear in the length of the text. */
const pattern =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,20}))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/;

/**
 * The period that a date, dateTime or instant covers by its precision (R4, datatypes.html#dateTime and search.html#date): `2026-02` is all
 * of February. Times without an offset are UTC, because a plan's data has no time zone.
 *
 * An unknown month or day written as `00`, as birth dates of this service may have, covers the whole year or month.
 *
 * @returns undefined if the text is not a date: `2026-02-30`, `yesterday`, a number.
 */
export function dateRange(text: unknown): DateRange | undefined {
  const match = typeof text === 'string' ? pattern.exec(text) : null;
  if (match === null) return undefined;
  const [, year, month, dayOfMonth, hour, ...time] = match;
  const days = daysOf(Number(year), month, dayOfMonth);
  if (days === undefined || hour === undefined) return days;
  // A time of day needs a full date.
  if (days[1] - days[0] !== day) return undefined;
  return timeRange(days[0], hour, time);
}

/** The range of a Period; undefined if the Period has neither start nor end, or ends before it starts. */
export function periodRange(value: unknown): DateRange | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { start, end } = value as { readonly start?: unknown; readonly end?: unknown };
  if (start === undefined && end === undefined) return undefined;
  const first = start === undefined ? open : dateRange(start);
  const last = end === undefined ? open : dateRange(end);
  if (first === undefined || last === undefined) return undefined;
  const range: DateRange = [first[0], last[1]];
  return startOf(range) < endOf(range) ? range : undefined;
}

const open: DateRange = [null, null];

export function startOf(range: DateRange): number {
  return range[0] ?? Number.NEGATIVE_INFINITY;
}

export function endOf(range: DateRange): number {
  return range[1] ?? Number.POSITIVE_INFINITY;
}

function daysOf(year: number, month = '00', dayOfMonth = '00'): readonly [number, number] | undefined {
  if (year === 0) return undefined;
  if (month === '00') return Number(dayOfMonth) <= 31 ? [utc(year, 0), utc(year + 1, 0)] : undefined;
  const index = Number(month) - 1;
  if (index > 11) return undefined;
  if (dayOfMonth === '00') return [utc(year, index), utc(year, index + 1)];
  const start = utc(year, index, Number(dayOfMonth));
  return start < utc(year, index + 1) ? [start, start + day] : undefined;
}

/** `Date.UTC` maps the years 0 to 99 to 1900 to 1999. */
function utc(year: number, month: number, dayOfMonth = 1): number {
  return new Date(0).setUTCFullYear(year, month, dayOfMonth);
}

function timeRange(
  startOfDay: number,
  hour: string,
  [minutes = '', seconds, fraction, offset = 'Z']: readonly (string | undefined)[],
): DateRange | undefined {
  const shift = offsetMinutes(offset);
  // 60 is a leap second (R4, datatypes.html#dateTime).
  const lawful = Number(hour) < 24 && Number(minutes) < 60 && Number(seconds ?? 0) <= 60;
  if (!lawful || shift === undefined) return undefined;
  const start = startOfDay + (Number(hour) * 60 + Number(minutes) - shift) * minute;
  if (seconds === undefined) return [start, start + minute];
  const second = start + Number(seconds) * 1000;
  if (fraction === undefined) return [second, second + 1000];
  // Milliseconds are the finest precision.
  const exact = second + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return [exact, exact + 10 ** Math.max(0, 3 - fraction.length)];
}

function offsetMinutes(text: string): number | undefined {
  if (text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(4))];
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > 14 * 60) return undefined;
  return text.startsWith('-') ? -total : total;
}
