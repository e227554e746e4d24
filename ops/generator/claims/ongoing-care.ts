/** Generates the care of a chronic disease: visits, yearly examinations, and medicines without a gap. */

import { lastMonth, monthAfter, monthsBetween } from '../record/dates.ts';
import type { DatedTreatment } from './dated-treatment.ts';
import type { TreatmentName } from './treatments.ts';

/**
 * Day of the month on which a pharmacy fills a medicine that is taken every day, so that each fill follows when the one before is used up.
 */
const fillDay = 5;

interface OngoingCare {
  /** First month, `YYYY-MM`. */
  readonly since: string;
  readonly visitsAYear: 2 | 4;
  readonly insulin?: boolean;
}

/** Diabetes with high blood pressure and high cholesterol, which often come together, up to the last month of the records. */
export function diabetesCare({
  since,
  visitsAYear,
  insulin = false,
}: OngoingCare): readonly DatedTreatment[] {
  const every = (months: number, treatment: TreatmentName, from = since): readonly DatedTreatment[] =>
    monthsBetween(from, lastMonth, months).map((month) => ({ treatment, month }));
  const onInsulin = monthAfter(since, 6);
  const visits = every(12 / visitsAYear, 'diabetes');
  const checks = every(12, 'diabetesYear', monthAfter(since, 1));
  const isOnInsulin = ({ month }: DatedTreatment) => insulin && month >= onInsulin;
  return [
    ...every(12, 'cholesterol'),
    ...visits.map((each) =>
      isOnInsulin(each) ? { ...each, treatment: 'diabetesOnInsulin' as const } : each,
    ),
    ...checks.map((each) =>
      isOnInsulin(each) ? { ...each, treatment: 'diabetesYearOnInsulin' as const } : each,
    ),
    ...fills('metformin', since, 3),
    ...fills('statin', since, 3),
    ...fills('antihypertensive', since, 3),
    ...(insulin ? fills('insulin', onInsulin, 1) : []),
  ];
}

/** Fills of a medicine at an interval of months, with a new prescription each year. */
export function fills(treatment: TreatmentName, since: string, months: 1 | 3): readonly DatedTreatment[] {
  const inYear = 12 / months;
  return monthsBetween(since, lastMonth, months).map((month, at) => ({
    ...{ treatment, month, day: at === 0 ? 25 : fillDay, refill: at % inYear },
  }));
}

/** The same treatments, with a correction of the first claim. */
export function corrected([first, ...others]: readonly DatedTreatment[]): readonly DatedTreatment[] {
  return first === undefined ? [] : [{ ...first, exception: 'corrected' }, ...others];
}
