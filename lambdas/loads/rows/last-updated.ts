/** Reads the time of a row: `meta.lastUpdated`. */

import { isFhirInstant } from '../../catalog/fhir/fhir-instant.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';

/** The clocks of a source and of this service differ by less than this, in milliseconds. */
const clockDifferenceMs = 10 * 60_000;

export type LastUpdatedReading =
  | { readonly kind: 'time'; readonly lastUpdated: string }
  | { readonly kind: 'fault'; readonly code: 'no_last_updated' | 'future_last_updated' };

/**
 * Reads when the source last changed what a row says. A time in the future is a fault: until then it would be later than that of every
 * true change, and keep each of them out.
 *
 * @param now milliseconds since 1970.
 */
export function readLastUpdated(meta: unknown, now: number): LastUpdatedReading {
  const lastUpdated = jsonMember(meta, 'lastUpdated');
  if (typeof lastUpdated !== 'string' || !isFhirInstant(lastUpdated)) {
    return { kind: 'fault', code: 'no_last_updated' };
  }
  const isFuture = Date.parse(lastUpdated) > now + clockDifferenceMs;
  return isFuture ? { kind: 'fault', code: 'future_last_updated' } : { kind: 'time', lastUpdated };
}
