/** Generates synthetic Coverages. */

import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { concept } from '../record/codes.ts';
import { daysAfter } from '../record/dates.ts';
import { type Party, party, planName } from '../record/parties.ts';
import type { SyntheticPerson } from '../record/patient.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import { type Draft, draft, identifier } from '../record/resource.ts';

/** An enrollment with its Coverage; the last one has no end. */
export interface Enrolment {
  readonly start: string;
  readonly end?: string;
  readonly coverage: Draft;
}

/** Coverage type of each LOB (HL7 v3 ActCode). */
const coverageTypes: Readonly<Record<LineOfBusiness, { readonly code: string; readonly text: string }>> = {
  CHPDC: { code: 'PUBLICPOL', text: 'Medicaid' },
  CHPMD: { code: 'PUBLICPOL', text: 'Medicaid' },
  DSNP: { code: 'MCPOL', text: 'Medicare Advantage and Medicaid' },
  MAPD: { code: 'MCPOL', text: 'Medicare Advantage with drugs' },
  MHBE: { code: 'HIP', text: 'Health insurance exchange' },
  EGWP: { code: 'RETIRE', text: 'Retirees of an employer' },
};

/** First and last day of an enrollment period. Without an end it lasts until the next one begins. */
export interface EnrolmentPeriod {
  readonly start: string;
  readonly end?: string | undefined;
}

/**
 * Generates a member's enrollments.
 *
 * @param subscriber the holder of the policy, if it isn't the member.
 */
export function enrolmentsOf(
  random: PseudoRandom,
  person: SyntheticPerson,
  parties: { readonly insurer: Party; readonly subscriber: Party | undefined },
  periods: readonly EnrolmentPeriod[],
): readonly Enrolment[] {
  return person.enrolments.map(({ group, plan }, at) => {
    const { start, end: ownEnd } = periods[at] ?? { start: '2019-01-01' };
    const next = at + 1 < person.enrolments.length ? periods[at + 1]?.start : undefined;
    const end = ownEnd ?? (next === undefined ? undefined : daysAfter(next, -1));
    const classes = [
      { type: concept('coverageClass', 'group'), value: group, name: `${person.lob} group ${group}` },
      { type: concept('coverageClass', 'plan'), value: plan, name: `${planName(person.lob)} ${plan}` },
    ];
    const coverage = draft(
      random,
      'Coverage',
      'C4BB-Coverage',
      {
        ...covered(person, parties, end === undefined ? 'active' : 'cancelled'),
        period: { start, ...(end === undefined ? {} : { end }) },
        payor: [parties.insurer],
        class: classes,
      },
      { known: end ?? start },
    );
    return { start, ...(end === undefined ? {} : { end }), coverage };
  });
}

/** The elements of a Coverage about the member and the policyholder. */
function covered(
  person: SyntheticPerson,
  { subscriber }: { readonly subscriber: Party | undefined },
  status: 'active' | 'cancelled',
) {
  const { code, text } = coverageTypes[person.lob];
  const member = { reference: `Patient/${person.patientId}` };
  return {
    identifier: [{ type: concept('identifierType', 'MB'), ...identifier('MEMBER_LIFE_ID', person.memberId) }],
    status,
    type: concept('coverageType', code, text),
    policyHolder: subscriber ?? member,
    subscriber: subscriber ?? member,
    subscriberId: subscriber === undefined ? person.memberId : `${person.lob}${person.rowId.slice(0, 8)}`,
    beneficiary: member,
    dependent: subscriber === undefined ? '01' : '02',
    relationship: concept('subscriberRelationship', subscriber === undefined ? 'self' : 'spouse'),
  };
}

/** Generates the spouse whose policy covers the member. */
export function subscriberOf(
  random: PseudoRandom,
  person: SyntheticPerson,
  given: string,
  known: string,
): { readonly draft: Draft; readonly party: Party } {
  const place = person.addresses.at(-1)?.place;
  const made = draft(
    random,
    'RelatedPerson',
    'C4BB-RelatedPerson',
    {
      active: true,
      patient: { reference: `Patient/${person.patientId}` },
      relationship: [concept('role', 'SPS', 'Spouse')],
      name: [{ family: person.familyName, given: [given] }],
      telecom: [{ system: 'phone', value: '+1-202-555-0189' }],
      address:
        place === undefined
          ? []
          : [
              {
                line: ['8 Sample Terrace'],
                city: place.city,
                state: place.state,
                postalCode: place.postalCode,
              },
            ],
    },
    { known },
  );
  return { draft: made, party: party(made, `${given} ${person.familyName}`) };
}
