/** Time until which a resource is served, as its search entry holds it. */

import type { DateRange } from './date-range.ts';
import { priorAuthorizationServedUntil } from './prior-authorization-period.ts';

/** Name under which a search entry holds the time until which its resource is served. No search has a parameter of this name. */
export const servedName = '_served';

/** The time until which a resource is served, as an entry holds it; none if there is no end. */
export function servedDates(resource: unknown): Readonly<Record<string, readonly DateRange[]>> {
  const until = priorAuthorizationServedUntil(resource);
  return until === undefined ? {} : { [servedName]: [[null, until]] };
}
