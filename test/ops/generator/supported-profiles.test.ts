import { describe, expect, it } from 'vitest';
import { patientAccessTypes, servedResource } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';
import { sandboxPersonas } from '../../../ops/generator/personas.ts';

const declared = Map.groupBy(
  [...syntheticMembers('sandbox'), ...sandboxPersonas().map(({ member }) => member)]
    .flatMap(({ resources }) => resources)
    .flatMap(({ resourceType, json }) => {
      const { meta } = JSON.parse(json) as { readonly meta: { readonly profile?: readonly string[] } };
      return (meta.profile ?? []).map((profile) => ({ resourceType, profile }));
    }),
  ({ resourceType }) => resourceType,
);
const declaredBy = (type: string) => new Set(declared.get(type)?.map(({ profile }) => profile));

describe.each(patientAccessTypes)('the profiles of a synthetic %s', (type) => {
  const { supportedProfiles } = servedResource(type);

  it('are among those the CapabilityStatement names (lambdas/catalog/fhir/fhir-resources.ts)', () => {
    for (const profile of declaredBy(type)) {
      const named = supportedProfiles.filter((each) => each === profile || each.split('|', 1)[0] === profile);
      expect(named, profile).not.toEqual([]);
    }
  });

  it('are all it names of CARIN Blue Button and of US Core 6.1.0; each name has a version', () => {
    expect(supportedProfiles.filter((profile) => !/\|\d+\.\d+\.\d+$/.test(profile))).toEqual([]);
    const wanted = supportedProfiles.filter(
      (profile) => profile.includes('/carin-bb/') || /us\/core\/.*\|6\.1\.0$/.test(profile),
    );
    expect(wanted.filter((profile) => !declaredBy(type).has(profile))).toEqual([]);
  });
});
