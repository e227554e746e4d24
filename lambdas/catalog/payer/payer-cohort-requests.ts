/** Request bodies of the payers' cohort in the sandbox, for `$member-match` and `$bulk-member-match`. */

import type { LineOfBusiness } from '../lines-of-business.ts';
import type { OrganizationIdentifier } from './organization-identifiers.ts';
import { type CohortCase, cohortMemberId, cohortMembers } from './payer-cohort.ts';

/** An NPI with a wrong check digit, which no organization has. */
const nobodysOrganization = { system: 'http://hl7.org/fhir/sid/us-npi', value: '0000000000' } as const;

/** System of the plan's member identifiers. */
const memberIdSystem = 'https://memberdata.example/fhir/identifier/MEMBER_LIFE_ID';

const terminology = 'http://terminology.hl7.org/CodeSystem';
const concept = (system: string, code: string) => ({
  coding: [{ system: `${terminology}/${system}`, code }],
});

export interface CohortParameter {
  readonly name: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

/**
 * Parameters of a case, for `$member-match` or for one MemberBundle.
 *
 * @param organization identifier of the requesting payer, the recipient of the Consent.
 */
export function cohortParameters(
  given: CohortCase,
  lob: LineOfBusiness,
  organization: OrganizationIdentifier,
): readonly CohortParameter[] {
  const member = cohortMembers[given.member];
  const numbers = given.numbers ?? [member.number];
  const memberIds = numbers.map((number) => cohortMemberId(lob, { number }));
  const patient = {
    resourceType: 'Patient',
    id: '1',
    // US Core, which HRex is built on, requires the system of an identifier.
    identifier: memberIds.map((value) => ({ type: concept('v2-0203', 'MB'), system: memberIdSystem, value })),
    name: [{ family: member.family, given: [member.given] }],
    gender: member.gender,
    birthDate: given.birthDate ?? member.birthDate,
  };
  const coverage = {
    resourceType: 'Coverage',
    id: '2',
    status: 'active',
    subscriberId: memberIds[0],
    beneficiary: { reference: 'Patient/1' },
    payor: [{ display: 'The plan that answers' }],
  };
  return [
    { name: 'MemberPatient', resource: patient },
    { name: 'CoverageToMatch', resource: coverage },
    { name: 'Consent', resource: consentOf(given, organization) },
  ];
}

/** Body of `$member-match`. */
export function cohortMatchBody(parameters: readonly CohortParameter[]): object {
  return { resourceType: 'Parameters', parameter: parameters };
}

/** Body of `$bulk-member-match`, with a MemberBundle for each member. */
export function cohortBulkBody(members: readonly (readonly CohortParameter[])[]): object {
  const parameter = members.map((part) => ({ name: 'MemberBundle', part }));
  return { resourceType: 'Parameters', parameter };
}

/** Makes the Consent of a case. It is the same in every request, so that a repeated request extends its match. */
function consentOf({ consent, policy = 'regular' }: CohortCase, own: OrganizationIdentifier) {
  const recipient = consent === 'other-recipient' ? nobodysOrganization : own;
  return {
    resourceType: 'Consent',
    id: '3',
    status: 'active',
    scope: concept('consentscope', 'patient-privacy'),
    category: [concept('v3-ActCode', 'IDSCL')],
    patient: { reference: consent === 'other-patient' ? 'Patient/2' : 'Patient/1' },
    performer: [{ reference: 'Patient/1' }],
    sourceReference: { display: 'The form that the member signed' },
    policy: [{ uri: `http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#${policy}` }],
    provision: {
      type: 'permit',
      period: { start: '2020-01-01', end: consent === 'expired' ? '2020-12-31' : '2099-12-31' },
      actor: [
        {
          role: concept('provenance-participant-type', 'performer'),
          reference: { display: 'The plan that answers' },
        },
        { role: concept('v3-ParticipationType', 'IRCP'), reference: { identifier: recipient } },
      ],
      action: [concept('consentaction', 'disclose')],
    },
  };
}
