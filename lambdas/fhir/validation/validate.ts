/** Validates resources by R4 and by the served profiles that they claim, with the definitions made at build time. */

import definitionsJson from './definitions.json' with { type: 'json' };
import type { Definitions } from './definitions.ts';
import type { Fault, FaultCollector } from './faults.ts';
import { createProfileCheck } from './profiles.ts';
import { createStructureCheck } from './structure.ts';

type Json = Readonly<Record<string, unknown>>;

const definitions = definitionsJson as unknown as Definitions;
const checkStructure = createStructureCheck(definitions);
const checkProfile = createProfileCheck(definitions);

/** Canonical URLs, with versions, of the profiles of a URL: a claim without a version is for any of them. */
const versionsOf = Map.groupBy(Object.keys(definitions.profiles), (canonical) => canonical.split('|')[0]);

/** The faults of a resource's structure by R4, ten at most. Its `resourceType` is one of R4. */
export function structureFaults(resource: Json): readonly Fault[] {
  const check: FaultCollector = { faults: [], at: [] };
  checkStructure(check, resource);
  return check.faults;
}

/**
 * The faults of a resource by the first profile it claims and does not conform to, ten at most. A profile claimed without a version may
 * be of any version. The structure is right: a value of another type says nothing about a profile.
 */
export function profileFaults(resource: Json): readonly Fault[] {
  const { profile } = (resource.meta ?? {}) as Json;
  for (const claimed of Array.isArray(profile) ? profile : []) {
    const faults = claimFaults(resource, String(claimed));
    if (faults.length > 0) return faults;
  }
  return [];
}

function claimFaults(resource: Json, claimed: string): readonly Fault[] {
  const candidates = Object.hasOwn(definitions.profiles, claimed)
    ? [claimed]
    : (versionsOf.get(claimed) ?? []);
  let faults: readonly Fault[] = [];
  for (const profile of candidates) {
    if (definitions.profiles[profile]?.type !== resource.resourceType) continue;
    const check: FaultCollector = { faults: [], at: [] };
    checkProfile(check, resource, profile);
    if (check.faults.length === 0) return [];
    const name = profile.slice(profile.lastIndexOf('/') + 1);
    if (faults.length === 0)
      faults = check.faults.map((each) => ({ ...each, expected: `${each.expected}, by ${name}` }));
  }
  return faults;
}
