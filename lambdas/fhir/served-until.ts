/** Time until which a resource is served, as its search entry holds it. */

import { isPart2Record } from './part-2-records.ts';
import { priorAuthorizationServedUntil } from './prior-authorization-period.ts';
import type { DateRange } from './search/date-range.ts';

/** Name under which a search entry holds the time until which its resource is served. No search has a parameter of this name. */
export const servedName = '_served';

/**
 * The time until which a resource is served. A record that 42 CFR Part 2 protects is never served: a member's consent to an application
 * is not the written consent of 42 CFR 2.31.
 *
 * @returns milliseconds since 1970; undefined if there is no end.
 */
export function servedUntil(resource: unknown): number | undefined {
  return isPart2Record(resource) ? 0 : priorAuthorizationServedUntil(resource);
}

/** The same, as an entry holds it; none if there is no end. */
export function servedDates(resource: unknown): Readonly<Record<string, readonly DateRange[]>> {
  const until = servedUntil(resource);
  return until === undefined ? {} : { [servedName]: [[null, until]] };
}
