/** Rules beside scopes that decide whether a resource is served. */

import type { SearchEntry } from './patient-compartment.ts';
import { servedName, servedUntil } from './prior-authorization-period.ts';
import { candidateOf } from './search/matching.ts';

/** Whether the resource of an entry is served at a time. @param now milliseconds since 1970 */
export function isEntryServed(entry: SearchEntry, now: number): boolean {
  // The only type that has an end.
  if (entry.resourceType !== 'ExplanationOfBenefit') return true;
  const [range] = candidateOf(entry).values.dates[servedName] ?? [];
  return range === undefined || (range[1] ?? Number.POSITIVE_INFINITY) > now;
}

/** Whether a resource is served at a time. @param now milliseconds since 1970 */
export function isResourceServed(resourceType: string, json: string, now: number): boolean {
  if (resourceType !== 'ExplanationOfBenefit') return true;
  return (servedUntil(JSON.parse(json)) ?? Number.POSITIVE_INFINITY) > now;
}
