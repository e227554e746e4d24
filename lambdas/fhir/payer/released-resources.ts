/** Resources of a matched member that another payer gets, one after another. */

import { isPatientAccessType, servedResource } from '../../catalog/fhir-resources.ts';
import { isEntryServed, isResourceServed } from '../disclosure-rules.ts';
import type { PatientCompartment, SearchEntry } from '../patient-compartment.ts';
import { scopeFilter } from '../scope-filter.ts';
import { candidateOf, datesOf } from '../search/matching.ts';
import type { ConsentPolicy } from './consent-rules.ts';
import { isReleased, withoutAmounts } from './payer-content-rules.ts';
import type { MatchedMember } from './payer-group-port.ts';

/** Selection of a member's resources. */
export interface ReleaseSelection {
  /** Resource types; all if undefined. */
  readonly types?: readonly string[] | undefined;
  /** Changed since, and until, by lastUpdated: milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly policy: ConsentPolicy;
  /** SMART scopes of the grant, `patient/…`. */
  readonly scope: string;
}

export interface ReleasedResource {
  readonly resourceType: string;
  readonly id: string;
  /** Valid FHIR, serialized. */
  readonly json: string;
}

/** Resources read together. */
const batch = 100;

/**
 * Streams the resources of a member that the scopes, the rules of disclosure and the rules of content release, by type and ID. The
 * caller has judged the grant.
 *
 * @throws StoreUnavailable
 */
export async function* releasedResources(
  compartment: PatientCompartment,
  { patientId, grantId }: MatchedMember,
  selection: ReleaseSelection,
  now: number,
): AsyncIterable<ReleasedResource> {
  const asked = { resourceType: undefined, references: false };
  const { entries } = await compartment.entries(patientId, grantId, asked);
  const isInScope = scopeFilter(selection.scope, 'r');
  const chosen = entries
    .filter((entry) => isInScope(entry) && isEntryServed(entry, now) && isSelected(entry, selection))
    .sort((a, b) => compare(a.resourceType, b.resourceType) || compare(a.id, b.id));
  for (let from = 0; from < chosen.length; from += batch) {
    const page = chosen.slice(from, from + batch);
    const found = await compartment.resources(patientId, page);
    for (const [at, entry] of page.entries()) {
      const stored = found[at];
      if (stored === undefined) continue;
      const json = stored.fhirJson ?? stored.json;
      const { resourceType, id } = entry;
      const judged = { resource: JSON.parse(json) as unknown, careDates: careDatesOf(entry) };
      if (!isResourceServed(resourceType, json, now)) continue;
      if (!isReleased(judged, { policy: selection.policy, now })) continue;
      yield { resourceType, id, json: withoutAmounts(resourceType, json) };
    }
  }
}

function isSelected(entry: SearchEntry, { types, since, until }: ReleaseSelection): boolean {
  const changed = Date.parse(entry.lastUpdated);
  return (
    (types === undefined || types.includes(entry.resourceType)) &&
    (since === undefined || changed >= since) &&
    (until === undefined || changed <= until)
  );
}

function careDatesOf(entry: SearchEntry) {
  const { resourceType } = entry;
  const name = isPatientAccessType(resourceType) ? servedResource(resourceType).careDate : undefined;
  return name === undefined ? [] : datesOf(candidateOf(entry), name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
