/**
 * Makes the MemberBundle by which another payer finds a member (PDex 2.2.0, OperationDefinition/BulkMemberMatch; HRex 1.0.0,
 * OperationDefinition/member-match): the member's demographics, the coverage there, the coverage here, and the member's consent.
 */

import { exchangeDays } from '../../catalog/payer/exchange-states.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { dayMs } from '../../platform/kernel/business-days.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import type { OtherPayer } from '../payers/other-payer.ts';
import type { MemberExchange } from './member-exchange.ts';

/** This plan, as it names itself to other payers. */
export interface PlanIdentity {
  readonly name: string;
  readonly identifier: OrganizationIdentifier;
}

type Json = Readonly<Record<string, unknown>>;

const hrex = 'http://hl7.org/fhir/us/davinci-hrex';
const terminology = 'http://terminology.hl7.org/CodeSystem';
const profile = (name: string) => ({ profile: [`${hrex}/StructureDefinition/${name}`] });
const concept = (name: string, code: string) => ({ coding: [{ system: `${terminology}/${name}`, code }] });

/**
 * The parameter `MemberBundle` of a member. Its Patient has the exchange's ID, by which the answer's copy of it leads back to the exchange;
 * the member's own ID stays here.
 *
 * @param patient the member's Patient here
 * @param coverage the member's Coverage here, which the other payer may link to; undefined if there is none
 * @param now milliseconds since 1970
 */
export function memberEntry(
  exchange: MemberExchange,
  patient: unknown,
  coverage: unknown,
  us: PlanIdentity,
  payer: OtherPayer,
  now: number,
): object {
  const memberPatient = patientOf(exchange, patient);
  return {
    name: 'MemberBundle',
    part: [
      { name: 'MemberPatient', resource: memberPatient },
      { name: 'CoverageToMatch', resource: coverageThere(exchange, payer) },
      { name: 'Consent', resource: consentOf(exchange, us, payer, now) },
      ...(coverage === undefined
        ? []
        : [{ name: 'CoverageToLink', resource: coverageHere(exchange, coverage, us) }]),
    ],
  };
}

/**
 * The Consent of an exchange's permission (HRex 1.0.0, StructureDefinition/hrex-consent). HRex requires an end: that of the permission, or a
 * quarter from now if that is earlier, so that another payer never has a long consent that the member has ended here.
 *
 * @throws TypeError for an exchange without a permission, which nobody may ask about
 */
export function consentOf(
  { exchangeId, permission }: Pick<MemberExchange, 'exchangeId' | 'permission'>,
  us: PlanIdentity,
  payer: Pick<OtherPayer, 'name' | 'identifiers'>,
  now: number,
): Json {
  if (permission === undefined) throw new TypeError(`exchange ${exchangeId} has no permission`);
  const { givenAt, by, policy, until } = permission;
  const latest = now + exchangeDays.quarter * dayMs;
  const end = until === undefined ? latest : Math.min(Date.parse(until), latest);
  return {
    resourceType: 'Consent',
    id: `consent-${exchangeId}`,
    meta: profile('hrex-consent'),
    status: 'active',
    scope: concept('consentscope', 'patient-privacy'),
    category: [concept('v3-ActCode', 'IDSCL')],
    patient: patientReference(exchangeId),
    dateTime: givenAt,
    performer: [
      by.kind === 'representative'
        ? { type: 'RelatedPerson', display: 'The member’s personal representative' }
        : patientReference(exchangeId),
    ],
    // The member agrees on a page or to the enrollment system; there is no scanned form to point to.
    sourceReference: {
      type: 'DocumentReference',
      identifier: { value: exchangeId },
      display: `The permission that ${us.name} has on file`,
    },
    policy: [{ uri: `${hrex}/StructureDefinition-hrex-consent.html#${policy}` }],
    provision: {
      type: 'permit',
      period: { start: givenAt, end: new Date(end).toISOString() },
      actor: [
        { role: concept('provenance-participant-type', 'performer'), reference: organization(payer) },
        {
          role: concept('v3-ParticipationType', 'IRCP'),
          reference: organization({ name: us.name, identifiers: [us.identifier] }),
        },
      ],
      action: [concept('consentaction', 'disclose')],
    },
  };
}

/** The member's names, birth date, sex and addresses, without identifiers of this plan or of Medicaid and Medicare. */
function patientOf({ exchangeId, plan }: MemberExchange, patient: unknown): Json {
  const birthSex = jsonEntries(jsonMember(patient, 'extension')).filter(
    (each) => jsonMember(each, 'url') === 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex',
  );
  return {
    resourceType: 'Patient',
    id: exchangeId,
    meta: profile('hrex-patient-demographics'),
    ...(birthSex.length > 0 && { extension: birthSex }),
    ...(plan.memberNumber !== undefined && { identifier: [memberIdentifier(plan.memberNumber)] }),
    name: jsonEntries(jsonMember(patient, 'name'))
      .filter((name) => jsonMember(name, 'use') !== 'old' && jsonMember(name, 'family') !== undefined)
      .slice(0, mostNames)
      .map((name) => chosen(name, ['use', 'family', 'given', 'suffix'])),
    ...chosen(patient, ['gender', 'birthDate']),
    ...listed(
      'address',
      jsonEntries(jsonMember(patient, 'address')).map((address) =>
        chosen(address, ['use', 'line', 'city', 'state', 'postalCode', 'country']),
      ),
    ),
  };
}

/** The coverage at the other payer, as the member's card has it. */
function coverageThere({ exchangeId, plan, isConcurrent }: MemberExchange, payer: OtherPayer): Json {
  return {
    resourceType: 'Coverage',
    id: `there-${exchangeId}`,
    meta: profile('hrex-coverage'),
    ...(plan.memberNumber === undefined
      ? { _subscriberId: { extension: [{ url: dataAbsent, valueCode: 'unknown' }] } }
      : { identifier: [memberIdentifier(plan.memberNumber)], subscriberId: plan.memberNumber }),
    // A former plan's coverage is over, though it may still be on file there.
    status: isConcurrent ? 'active' : 'cancelled',
    beneficiary: patientReference(exchangeId),
    relationship: unknownRelationship,
    payor: [organization(payer)],
    ...(plan.groupNumber !== undefined && {
      class: [{ type: concept('coverage-class', 'group'), value: plan.groupNumber }],
    }),
  };
}

/** The coverage here: the elements that HRex supports, without references to resources that stay here. */
function coverageHere({ exchangeId }: MemberExchange, coverage: unknown, us: PlanIdentity): Json {
  return {
    resourceType: 'Coverage',
    id: `here-${exchangeId}`,
    meta: profile('hrex-coverage'),
    ...chosen(coverage, ['identifier', 'status', 'type', 'subscriberId', 'dependent', 'period', 'class']),
    beneficiary: patientReference(exchangeId),
    relationship: jsonMember(coverage, 'relationship') ?? unknownRelationship,
    payor: [organization({ name: us.name, identifiers: [us.identifier] })],
  };
}

const dataAbsent = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';
/** HRex requires the relationship; a card doesn't say whether its holder is the subscriber. */
const unknownRelationship = concept('data-absent-reason', 'unknown');

/** Another payer may refuse a request with more, since each name is another guess. */
const mostNames = 5;

function patientReference(exchangeId: string) {
  return { reference: `Patient/${exchangeId}` };
}

function organization({ name, identifiers: [identifier] }: Pick<OtherPayer, 'name' | 'identifiers'>) {
  return { ...(identifier !== undefined && { identifier }), display: name };
}

/** A member number is unique at its payer only; nothing on a card names its namespace. */
function memberIdentifier(value: string) {
  return { type: concept('v2-0203', 'MB'), value };
}

function chosen(value: unknown, names: readonly string[]): Json {
  return Object.fromEntries(
    names.flatMap((name) => {
      const member = jsonMember(value, name);
      return member === undefined ? [] : [[name, member]];
    }),
  );
}

function listed(name: string, values: readonly Json[]): Json {
  return values.length === 0 ? {} : { [name]: values };
}
