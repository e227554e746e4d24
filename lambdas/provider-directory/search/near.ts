/** Parses `near` (R4, location.html#positional). */

import { splitUnescaped, unescaped } from '../../fhir/query/escapes.ts';
import {
  invalid,
  type ParameterReading,
  printable,
  rejected,
  understood,
} from '../../fhir/query/search-issue.ts';
import type { Circle, OwnCriterion } from './directory-criterion.ts';

const metersOf: Readonly<Record<string, number>> = {
  km: 1_000,
  m: 1,
  '[mi_us]': 1_609.347,
  mi_us: 1_609.347,
  '[mi_i]': 1_609.344,
  mi: 1_609.344,
};
/** Longest distance in meters; places within a longer one are not nearby. */
const farthestMeters = 500_000;
/** Distance of a search without one, in meters: 25 miles. R4 leaves it to the server. */
const usualMeters = 25 * 1_609.344;

/** Parses `latitude|longitude|distance|units`. Units are UCUM's km (the default) or [mi_us], or mi. */
export function parseNear(texts: readonly string[]): ParameterReading<OwnCriterion> {
  const anyOf: Circle[] = [];
  for (const text of texts) {
    const circle = circleOf(text);
    if (circle === undefined) {
      return rejected(
        invalid(
          `near must be latitude|longitude|distance|units such as 40.7128|-74.0060|10|mi, with degrees of WGS 84, the unit km, m, mi or [mi_us], and at most ${farthestMeters / 1_000} km, not ${printable(text)}.`,
        ),
      );
    }
    anyOf.push(circle);
  }
  return understood({ kind: 'near', anyOf });
}

function circleOf(text: string): Circle | undefined {
  const parts = splitUnescaped(text, '|').map(unescaped);
  const [latitude = '', longitude = '', distance = '', units = ''] = parts;
  const numbers = [latitude, longitude, distance === '' ? '1' : distance];
  if (parts.length > 4 || !numbers.every((each) => /^[+-]?\d{1,9}(\.\d{1,15})?$/.test(each.trim()))) {
    return undefined;
  }
  const [north, east] = [Number(latitude), Number(longitude)];
  const factor = metersOf[units === '' ? 'km' : units] ?? Number.NaN;
  const meters = distance === '' ? usualMeters : Number(distance) * factor;
  const isCircle =
    Math.abs(north) <= 90 &&
    Math.abs(east) <= 180 &&
    !Number.isNaN(factor) &&
    meters > 0 &&
    meters <= farthestMeters;
  return isCircle ? { latitude: north, longitude: east, meters } : undefined;
}
