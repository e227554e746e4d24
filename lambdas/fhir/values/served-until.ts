/** The time until which a resource is served, as a value of its search entry. */

import type { DateRange } from './date-range.ts';
import { priorAuthorizationServedUntil } from './prior-authorization-period.ts';

/** Name of the value in a search entry. No search has a parameter of this name. */
export const servedName = '_served';

/** The search entry's value for a resource; empty if the resource is served without a time limit. */
export function servedDates(resource: unknown): Readonly<Record<string, readonly DateRange[]>> {
  const until = priorAuthorizationServedUntil(resource);
  return until === undefined ? {} : { [servedName]: [[null, until]] };
}
