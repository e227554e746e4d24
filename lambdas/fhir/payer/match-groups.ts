/** Groups of a bulk match (PDex 2.2.0, StructureDefinition/pdex-member-match-group and pdex-member-no-match-group). */

import type { Group, GroupMember, Identifier, Resource } from 'fhir/r4.js';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { jsonMember } from '../../kernel/json-members.ts';

const guide = 'http://hl7.org/fhir/us/davinci-pdex';

/** Groups of a result, by the code of their members' outcome. */
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

export type MatchGroupCode = keyof typeof matchGroups;
export const matchGroupCodes = Object.keys(matchGroups) as [MatchGroupCode, ...MatchGroupCode[]];

/** A member of a request with what became of it. */
export interface GroupedMember {
  /** Position in the request. */
  readonly at: number;
  /** MemberPatient and CoverageToMatch as they were submitted. */
  readonly patient: unknown;
  readonly coverage: unknown;
  /** The matched Patient. */
  readonly patientId?: string | undefined;
}

export interface GroupHead {
  readonly groupId: string;
  readonly code: MatchGroupCode;
  /** The payer that asked. */
  readonly organization: readonly OrganizationIdentifier[];
  /** The plan that answers. */
  readonly planName: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The members of a Group that is published once: each with a contained copy of the Patient that was submitted. */
export function matchGroup(head: GroupHead, members: readonly GroupedMember[]): Group {
  const { groupId, code, organization, planName, createdAt, expiresAt } = head;
  const { name, display, profile } = matchGroups[code];
  const concept = {
    coding: [{ system: `${guide}/CodeSystem/PdexMultiMemberMatchResultCS`, code, display }],
  };
  const [identifier] = organization as readonly Identifier[];
  const repeated = repeatedPatients(members);
  return {
    resourceType: 'Group',
    id: groupId,
    meta: { lastUpdated: createdAt, profile: [`${guide}/StructureDefinition/${profile}`] },
    ...(members.length > 0 && {
      contained: members.flatMap((member) => contained(member, repeated)) as Group['contained'],
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
    ...(members.length > 0 && { member: members.map((member) => groupMember(member, repeated)) }),
  };
}

/** Patients that were matched by several MemberBundles: their members name the Coverage each was matched by. */
function repeatedPatients(members: readonly GroupedMember[]): ReadonlySet<string> {
  const counts = Map.groupBy(members, ({ patientId }) => patientId);
  return new Set([...counts].flatMap(([id, same]) => (id !== undefined && same.length > 1 ? [id] : [])));
}

function contained(
  { at, patient, coverage, patientId }: GroupedMember,
  repeated: ReadonlySet<string>,
): readonly Resource[] {
  return [
    containedCopy(patient, `patient-${at}`),
    ...(patientId !== undefined && repeated.has(patientId)
      ? [containedCopy(coverage, `coverage-${at}`)]
      : []),
  ];
}

/** A copy without what a contained resource may not have (R4, dom-2, dom-4 and dom-5), and without its narrative. */
function containedCopy(resource: unknown, id: string): Resource {
  const { meta: _meta, text: _text, contained: _contained, ...rest } = resource as Record<string, unknown>;
  return { ...rest, id } as unknown as Resource;
}

function groupMember({ at, patientId }: GroupedMember, repeated: ReadonlySet<string>): GroupMember {
  const extension = [
    {
      url: `${guide}/StructureDefinition/base-ext-match-parameters`,
      valueReference: { reference: `#patient-${at}` },
    },
  ];
  if (patientId !== undefined && repeated.has(patientId)) {
    extension.push({
      url: `${guide}/StructureDefinition/base-ext-match-coverage`,
      valueReference: { reference: `#coverage-${at}` },
    });
  }
  return {
    entity: {
      extension,
      reference: patientId === undefined ? `#patient-${at}` : `Patient/${patientId}`,
    },
  };
}

/** Whether a submitted Patient can be contained in a Group at all. */
export function isPatient(resource: unknown): boolean {
  return jsonMember(resource, 'resourceType') === 'Patient';
}
