/** Groups of a bulk match (PDex 2.2.0, StructureDefinition/pdex-member-match-group and pdex-member-no-match-group). */

import type { Group, GroupMember, Identifier, Resource } from 'fhir/r4.js';
import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';

const guide = 'http://hl7.org/fhir/us/davinci-pdex';

/** The Groups of a bulk match, by the outcome of their members. */
export const matchGroups = {
  match: {
    parameter: 'MatchedMembers',
    display: 'Matched',
    name: 'Matched members',
    profile: 'pdex-member-match-group',
  },
  nomatch: {
    parameter: 'NonMatchedMembers',
    display: 'Not Matched',
    name: 'Members not matched',
    profile: 'pdex-member-no-match-group',
  },
  consentconstraint: {
    parameter: 'ConsentConstrainedMembers',
    display: 'Consent Constraint',
    name: 'Members with a consent that can not be honored',
    profile: 'pdex-member-no-match-group',
  },
} as const;

/**
 * Systems of a Group's code in searches: the code system, and the value set, which the guide's own examples send instead (PDex 2.2.0,
 * "Payer-to-Payer Bulk Exchange").
 */
export const matchResultSystems = [
  `${guide}/CodeSystem/PdexMultiMemberMatchResultCS`,
  `${guide}/ValueSet/PDexMultiMemberMatchResultVS`,
] as const;

export type MatchGroupCode = keyof typeof matchGroups;
export const matchGroupCodes = Object.keys(matchGroups) as [MatchGroupCode, ...MatchGroupCode[]];

/** A member of a request, with its outcome. */
export interface GroupedMember {
  /** Position in the request. */
  readonly at: number;
  /** MemberPatient and CoverageToMatch, as submitted. */
  readonly patient: unknown;
  readonly coverage: unknown;
  /** ID of the matched Patient; undefined if none matched. */
  readonly patientId?: string | undefined;
}

export interface GroupHead {
  readonly groupId: string;
  readonly code: MatchGroupCode;
  /** Verified identifiers of the payer that sent the request. */
  readonly organization: readonly OrganizationIdentifier[];
  /** Name of this plan. */
  readonly planName: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/**
 * Makes the Group of one outcome. Each member has a contained copy of the submitted Patient.
 *
 * @param repeated positions found by `repeatedMembers`.
 */
export function matchGroup(
  head: GroupHead,
  members: readonly GroupedMember[],
  repeated: ReadonlySet<number> = new Set(),
): Group {
  const { groupId, code, organization, planName, createdAt, expiresAt } = head;
  const { name, display, profile } = matchGroups[code];
  const concept = {
    coding: [{ system: matchResultSystems[0], code, display }],
  };
  const [identifier] = organization as readonly Identifier[];
  const copies = copiesOf(members, repeated);
  return {
    resourceType: 'Group',
    id: groupId,
    meta: { lastUpdated: createdAt, profile: [`${guide}/StructureDefinition/${profile}`] },
    ...(members.length > 0 && {
      contained: containedOnce(copies) as Group['contained'],
    }),
    identifier: [...(organization as readonly Identifier[])],
    active: true,
    type: 'person',
    actual: true,
    code: concept,
    name,
    quantity: members.length,
    managingEntity: { display: planName },
    characteristic: [
      {
        code: concept,
        valueReference: { ...(identifier !== undefined && { identifier }) },
        exclude: false,
        period: { start: createdAt, end: expiresAt },
      },
    ],
    ...(members.length > 0 && { member: copies.map(groupMember) }),
  };
}

/**
 * Positions of the members that were submitted several times: with the same Patient, or with Patients that matched the same member. In
 * Groups such a member also names the Coverage it was submitted with.
 */
export function repeatedMembers(
  members: readonly Pick<GroupedMember, 'at' | 'patient' | 'patientId'>[],
): ReadonlySet<number> {
  const matched = members.filter(({ patientId }) => patientId !== undefined);
  const same = [
    ...Map.groupBy(members, ({ patient }) => JSON.stringify(patient)).values(),
    ...Map.groupBy(matched, ({ patientId }) => patientId).values(),
  ];
  return new Set(same.filter(({ length }) => length > 1).flatMap((each) => each.map(({ at }) => at)));
}

/** A member of a Group, with its contained resources. */
interface MemberCopy {
  readonly patientId: string | undefined;
  readonly patient: Resource;
  readonly coverage?: Resource;
}

/**
 * Copies the submitted resources. A resource keeps its ID if no other resource has it. If different Patients or Coverages have the same ID,
 * or a Coverage has the ID of a Patient, the copy gets an ID by its position.
 */
function copiesOf(members: readonly GroupedMember[], repeated: ReadonlySet<number>): readonly MemberCopy[] {
  const withCoverage = members.filter(({ at, coverage }) => repeated.has(at) && isCoverage(coverage));
  const patients = textsById(members.map(({ patient }) => patient));
  const coverages = textsById(withCoverage.map(({ coverage }) => coverage));
  const isTaken = (id: string) => patients.has(id) || coverages.has(id);
  const freeId = (id: string): string => (isTaken(id) ? freeId(`${id}-`) : id);
  const named = new Set(withCoverage.map(({ at }) => at));
  return members.map(({ at, patient, coverage, patientId }) => {
    const [own, ownOfCoverage] = [submittedId(patient), submittedId(coverage)];
    const isUnique = own !== undefined && patients.get(own)?.size === 1;
    const copy = containedCopy(patient, isUnique ? own : freeId(`patient-${at}`));
    if (!named.has(at)) return { patientId, patient: copy };
    const isFree =
      ownOfCoverage !== undefined && coverages.get(ownOfCoverage)?.size === 1 && !patients.has(ownOfCoverage);
    const id = isFree ? ownOfCoverage : freeId(`coverage-${at}`);
    return { patientId, patient: copy, coverage: containedCopy(coverage, id) };
  });
}

/** The distinct texts of resources, by their submitted ID. */
function textsById(resources: readonly unknown[]): ReadonlyMap<string, ReadonlySet<string>> {
  const texts = new Map<string, Set<string>>();
  for (const resource of resources) {
    const id = submittedId(resource);
    if (id !== undefined) texts.set(id, (texts.get(id) ?? new Set()).add(JSON.stringify(resource)));
  }
  return texts;
}

function isCoverage(resource: unknown): boolean {
  return jsonMember(resource, 'resourceType') === 'Coverage';
}

/** The contained resources, each once: a Patient submitted with several coverages is contained once. */
function containedOnce(copies: readonly MemberCopy[]): readonly Resource[] {
  const all = copies.flatMap(({ patient, coverage }) =>
    coverage === undefined ? [patient] : [patient, coverage],
  );
  return [...new Map(all.map((copy) => [copy.id, copy])).values()];
}

function submittedId(resource: unknown): string | undefined {
  const id = jsonMember(resource, 'id');
  return typeof id === 'string' && isFhirId(id) ? id : undefined;
}

/**
 * Copies a resource without the elements that a contained resource must not have (R4, dom-2, dom-4 and dom-5), and without its narrative.
 */
function containedCopy(resource: unknown, id: string): Resource {
  const { meta, text: _text, contained: _contained, ...rest } = resource as Record<string, unknown>;
  const profile = jsonEntries(jsonMember(meta, 'profile'));
  const tag = jsonEntries(jsonMember(meta, 'tag'));
  const kept = { ...(profile.length > 0 && { profile }), ...(tag.length > 0 && { tag }) };
  return { ...rest, id, ...(Object.keys(kept).length > 0 && { meta: kept }) } as unknown as Resource;
}

function groupMember({ patientId, patient, coverage }: MemberCopy): GroupMember {
  const extension = [
    {
      url: `${guide}/StructureDefinition/base-ext-match-parameters`,
      valueReference: { reference: `#${patient.id}` },
    },
  ];
  if (coverage !== undefined) {
    extension.push({
      url: `${guide}/StructureDefinition/base-ext-match-coverage`,
      valueReference: { reference: `#${coverage.id}` },
    });
  }
  return {
    entity: { extension, reference: patientId === undefined ? `#${patient.id}` : `Patient/${patientId}` },
  };
}

/** Whether a submitted resource is a Patient, so that a Group can contain it. */
export function isPatient(resource: unknown): boolean {
  return jsonMember(resource, 'resourceType') === 'Patient';
}
