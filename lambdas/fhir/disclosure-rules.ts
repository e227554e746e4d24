/** Rules beside scopes that decide whether a resource is served. */

import { mayBePart2Record } from './part-2-records.ts';
import type { SearchEntry } from './patient-compartment.ts';
import { servedName, servedUntil } from './served-until.ts';

/** Whether the resource of an entry is served at a time. @param now milliseconds since 1970 */
export function isEntryServed({ values }: SearchEntry, now: number): boolean {
  const [range] = values.dates[servedName] ?? [];
  return range === undefined || (range[1] ?? Number.POSITIVE_INFINITY) > now;
}

/** Whether a resource is served at a time. @param now milliseconds since 1970 */
export function isResourceServed(resourceType: string, json: string, now: number): boolean {
  // No other type has an end.
  if (resourceType !== 'ExplanationOfBenefit' && !mayBePart2Record(json)) return true;
  return (servedUntil(JSON.parse(json)) ?? Number.POSITIVE_INFINITY) > now;
}
