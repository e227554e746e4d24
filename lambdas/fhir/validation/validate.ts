/** Validates resources against R4 and the served profiles that they claim, with the definitions made at build time. */

import definitionsJson from './definitions.json' with { type: 'json' };
import type { Definitions } from './definitions.ts';
import type { Fault, FaultCollector } from './faults.ts';
import { createProfileCheck } from './profiles.ts';
import { createStructureCheck } from './structure.ts';

type Json = Readonly<Record<string, unknown>>;

const definitions = definitionsJson as unknown as Definitions;
const checkStructure = createStructureCheck(definitions);
const checkProfile = createProfileCheck(definitions);

/** The canonical URLs with version, by URL without version: a profile claimed without a version may be any of them. */
const versionsOf = Map.groupBy(Object.keys(definitions.profiles), (canonical) => canonical.split('|')[0]);

/** The faults in a resource's structure by R4, at most ten. Its `resourceType` must be a type of R4. */
export function structureFaults(resource: Json): readonly Fault[] {
  const check: FaultCollector = { faults: [], at: [] };
  checkStructure(check, resource);
  return check.faults;
}

/**
 * The faults by the first claimed profile that a resource does not conform to, at most ten. A profile claimed without a version may be of
 * any version. The resource must have passed `structureFaults`: profile rules assume values of the right type.
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
