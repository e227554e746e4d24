/** Reads the time of a row: `meta.lastUpdated`. */

import { isFhirInstant } from '../../catalog/fhir/fhir-instant.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';

/** Most milliseconds by which the clock of a source may be ahead of this service's. */
const clockDifferenceMs = 10 * 60_000;

export type LastUpdatedReading =
  | { readonly kind: 'time'; readonly lastUpdated: string }
  | { readonly kind: 'fault'; readonly code: 'no_last_updated' | 'future_last_updated' };

/**
 * Reads the time when the source last changed the row's content. A time in the future is a fault: it would be later than that of every true
 * change until then, and each of those would be refused as older.
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
