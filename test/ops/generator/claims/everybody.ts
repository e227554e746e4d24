import { environments } from '../../../../lambdas/catalog/environments.ts';
import { syntheticMembers } from '../../../../ops/generator/members.ts';

/** A parsed FHIR resource, whose elements tests read by name. */
// biome-ignore lint/suspicious/noExplicitAny: a resource has the shape its profile says, which these tests look at.
export type Resource = any;

export interface Everything {
  readonly who: string;
  readonly lob: string;
  /** Position among the members of the LOB, from 0. */
  readonly index: number;
  readonly memberId: string;
  readonly patientId: string;
  /** Resources as sent for `application/fhir+json`. */
  readonly resources: readonly Resource[];
}

/** All synthetic members of both environments with the resources that are loaded for them. */
export const everybody: readonly Everything[] = environments.flatMap((environment) => {
  const members = syntheticMembers(environment, '2026-03-01');
  return members.map(({ lob, memberId, patientId, resources }, at) => ({
    who: `${environment} ${memberId}`,
    lob,
    index: members.slice(0, at).filter((other) => other.lob === lob).length,
    memberId,
    patientId,
    resources: resources.map(({ json, fhirJson }) => JSON.parse(fhirJson ?? json)),
  }));
});

/** The resources of a type. For ExplanationOfBenefit only claims, not prior authorizations. */
export function ofType({ resources }: Everything, resourceType: string): readonly Resource[] {
  return resources.filter(
    (resource) => resource.resourceType === resourceType && resource.use !== 'preauthorization',
  );
}

/** Every claim with its member. */
export const everyClaim = everybody.flatMap((member) =>
  ofType(member, 'ExplanationOfBenefit').map((claim) => ({
    name: `${member.who} ${claim.id}`,
    claim,
    member,
  })),
);

/** The first code of a CodeableConcept. */
export function codeOf(concept: Resource): string {
  return concept?.coding?.[0]?.code;
}

/** The kind of a claim by its profile: `Pharmacy` of `…/C4BB-ExplanationOfBenefit-Pharmacy|2.0.0`. */
export function kindOf(claim: Resource): string {
  return claim.meta.profile[0].replace(/^.*C4BB-ExplanationOfBenefit-|\|.*$/g, '');
}

export interface Visit {
  readonly path: string;
  readonly value: Resource;
}

/** Every object and value in a resource, with its path. */
export function* walk(value: Resource, path = ''): Generator<Visit> {
  yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) yield* walk(part, `${path}/${name}`);
}
