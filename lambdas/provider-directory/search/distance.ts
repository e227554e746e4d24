/** Computes distances on the earth. */

import type { Circle } from './directory-criterion.ts';

/** Mean radius of the earth in meters (IUGG). */
const earthRadius = 6_371_008.8;
export const metersOfDegree = (Math.PI * earthRadius) / 180;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The great-circle distance between two positions, in meters (haversine formula). */
export function distance(
  { latitude, longitude }: Pick<Circle, 'latitude' | 'longitude'>,
  north: number,
  east: number,
): number {
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const chord =
    half(north - latitude) + Math.cos(radians(latitude)) * Math.cos(radians(north)) * half(east - longitude);
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}
