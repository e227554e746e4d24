/** Calendar of business days: weekends and federal holidays are none. */

/** A federal holiday: a fixed day of a month, or, with a weekday (Sunday is 0), the first such weekday on or after that day. */
interface HolidayRule {
  readonly name: string;
  readonly month: number;
  readonly day: number;
  readonly weekday?: number;
}

/** Legal public holidays of the United States (5 U.S.C. 6103(a)). */
const federalHolidays: readonly HolidayRule[] = [
  { name: 'New Year’s Day', month: 1, day: 1 },
  { name: 'Birthday of Martin Luther King, Jr.', month: 1, day: 15, weekday: 1 },
  { name: 'Washington’s Birthday', month: 2, day: 15, weekday: 1 },
  { name: 'Memorial Day', month: 5, day: 25, weekday: 1 },
  { name: 'Juneteenth National Independence Day', month: 6, day: 19 },
  { name: 'Independence Day', month: 7, day: 4 },
  { name: 'Labor Day', month: 9, day: 1, weekday: 1 },
  { name: 'Columbus Day', month: 10, day: 8, weekday: 1 },
  { name: 'Veterans Day', month: 11, day: 11 },
  { name: 'Thanksgiving Day', month: 11, day: 22, weekday: 4 },
  { name: 'Christmas Day', month: 12, day: 25 },
];

export const dayMs = 86_400_000;
const [sunday, friday, saturday] = [0, 5, 6] as const;

/**
 * Whether a day is a weekday on which no federal holiday is observed.
 *
 * @param day midnight UTC, in milliseconds since 1970.
 */
export function isBusinessDay(day: number): boolean {
  const weekday = new Date(day).getUTCDay();
  if (weekday === sunday || weekday === saturday) return false;
  if (isHoliday(day)) return false;
  // A holiday on a Saturday is observed on the Friday before, one on a Sunday on the Monday after (5 U.S.C. 6103(b), Executive Order 11582).
  if (weekday === friday) return !isHoliday(day + dayMs);
  return weekday !== 1 || !isHoliday(day - dayMs);
}

/**
 * Finds a business day after a time.
 *
 * @param time milliseconds since 1970.
 * @param count 1 for the first business day after the time's own day.
 * @returns its midnight UTC, in milliseconds since 1970.
 */
export function businessDayAfter(time: number, count: number): number {
  let day = Math.floor(time / dayMs) * dayMs;
  for (let left = count; left > 0; left -= isBusinessDay(day) ? 1 : 0) day += dayMs;
  return day;
}

function isHoliday(day: number): boolean {
  const date = new Date(day);
  const [month, of] = [date.getUTCMonth() + 1, date.getUTCDate()];
  return federalHolidays.some((rule) => {
    if (rule.month !== month) return false;
    if (rule.weekday === undefined) return rule.day === of;
    return date.getUTCDay() === rule.weekday && of >= rule.day && of < rule.day + 7;
  });
}
