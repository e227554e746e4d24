/** Makes the records of the sandbox's members for the public documentation: each as a FHIR Bundle, with a summary. */

import { type EnvironmentOrigins, fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { syntheticMembers } from './members.ts';
import { sandboxPersonas, testMembers } from './personas.ts';
import { sandboxRepresentation } from './sandbox-representation.ts';

/** Summary of a sandbox member and the member's record. It has no password. */
export interface SandboxMember {
  readonly lob: LineOfBusiness;
  readonly memberId: string;
  readonly patientId: string;
  readonly name: string;
  readonly about: string;
  /** Resources of the record by type, most frequent first. */
  readonly counts: Readonly<Record<string, number>>;
  readonly features: readonly SandboxFeature[];
  /** Bytes of the compressed Bundle. */
  readonly bytes: number;
}

interface Resource {
  readonly resourceType: string;
  readonly id: string;
  readonly use?: string;
  readonly related?: readonly unknown[];
  readonly birthDate?: string;
  readonly deceasedDateTime?: string;
  readonly subscriber?: { readonly reference: string };
}

/** A trait of a record that a test looks for. */
export type SandboxFeature = keyof typeof features;

const features = {
  'several-coverages': (all: readonly Resource[]) => ofType(all, 'Coverage').length > 1,
  'partial-birth-date': (all: readonly Resource[]) =>
    ofType(all, 'Patient').some(({ birthDate = '' }) => birthDate.length < 'YYYY-MM-DD'.length),
  died: (all: readonly Resource[]) =>
    ofType(all, 'Patient').some(({ deceasedDateTime }) => deceasedDateTime !== undefined),
  'spouse-policy': (all: readonly Resource[]) =>
    ofType(all, 'Coverage').some(({ subscriber }) => subscriber?.reference.startsWith('RelatedPerson/')),
  'prior-authorizations': (all: readonly Resource[]) =>
    ofType(all, 'ExplanationOfBenefit').some(({ use }) => use === 'preauthorization'),
  'replaced-claims': (all: readonly Resource[]) =>
    ofType(all, 'ExplanationOfBenefit').some(({ related = [] }) => related.length > 0),
  'many-pages': (all: readonly Resource[]) => ofType(all, 'ExplanationOfBenefit').length > 20,
  representative: (_: readonly Resource[], memberId: string) =>
    memberId === sandboxRepresentation().representative.memberId,
  represented: (_: readonly Resource[], memberId: string) =>
    memberId === sandboxRepresentation().child.memberId,
} as const;

function ofType(all: readonly Resource[], type: string): readonly Resource[] {
  return all.filter(({ resourceType }) => resourceType === type);
}

/**
 * The records of the sandbox's members, with their Bundles as text.
 *
 * @param month first day of the month that prior authorizations are counted from.
 */
export function* generateSandboxRecords(
  origins: EnvironmentOrigins,
  month: string,
): Generator<readonly [member: Omit<SandboxMember, 'bytes'>, bundle: string]> {
  const loads = [
    ...syntheticMembers('sandbox', month),
    ...sandboxPersonas(month).map(({ member }) => member),
  ];
  for (const { lob, memberId, patientId, name, about } of testMembers()) {
    const load = loads.find((each) => each.memberId === memberId);
    const resources = (load?.resources ?? []).map(
      ({ json, fhirJson = json }) => JSON.parse(fhirJson) as Resource,
    );
    const base = fhirBase(origins, lob, 'patient-access');
    const entry = resources.map((resource) => ({
      fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
      resource,
    }));
    const member = {
      ...{ lob, memberId, patientId, name, about },
      counts: countsOf(resources),
      features: (Object.keys(features) as SandboxFeature[]).filter((each) =>
        features[each](resources, memberId),
      ),
    };
    yield [member, JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry })];
  }
}

function countsOf(resources: readonly Resource[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { resourceType } of resources) counts[resourceType] = (counts[resourceType] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([, one], [, other]) => other - one));
}
