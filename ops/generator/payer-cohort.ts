/**
 * Generates members of the sandbox with whom other payers test matches and exports. They have no password, so nobody can sign in as them.
 */

import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import {
  type CohortMemberName,
  cohortMemberId,
  cohortMemberNames,
  cohortMembers,
} from '../../lambdas/catalog/payer/payer-cohort.ts';
import type { MemberLoad } from '../../lambdas/loads/ingest/ingest-contract.ts';
import type { ClaimHistory } from './claims/claim-histories.ts';
import { corrected, diabetesCare } from './claims/ongoing-care.ts';
import { memberRecord } from './member-claims.ts';
import { demographicsOf, patientLoad, syntheticPerson, type Traits } from './members.ts';
import { monthOf } from './record/dates.ts';
import { areaCodes } from './record/people.ts';
import { pseudoRandom } from './record/pseudo-random.ts';

/**
 * Treatments of each member; a member without treatments has only a Patient and a Coverage. The first member has resources of every type
 * that Payer Access serves, from the last five years.
 */
const histories: Readonly<Record<CohortMemberName, ClaimHistory['treatments']>> = {
  matched: [
    { month: '2024-05', treatment: 'knee' },
    { month: '2024-10', treatment: 'ankle' },
    { month: '2025-05', treatment: 'bronchitis', exception: 'twice' },
    { month: '2025-09', treatment: 'teeth' },
    { month: '2025-10', treatment: 'checkup' },
    ...corrected(diabetesCare({ since: '2026-02', visitsAYear: 2 })),
  ],
  sensitive: [{ month: '2026-09', treatment: 'bronchitis' }],
  constrained: [],
  firstRecord: [],
  secondRecord: [],
};

const traits: Traits = { birthDate: 'whole', addresses: 'open', enrolments: 1 };
/** First phone number of the cohort (555-0190), after those of the other test members. */
const firstLine = 190;

/**
 * The cohort of every line of business.
 *
 * @param month first day of the month that prior authorizations are relative to.
 * @default this month
 */
export function payerCohort(month = monthOf(new Date())): readonly MemberLoad[] {
  return lineOfBusinessCodes.flatMap((lob) =>
    cohortMemberNames.map((name, at) => cohortMember(lob, name, at, month)),
  );
}

function cohortMember(lob: LineOfBusiness, name: CohortMemberName, at: number, month: string): MemberLoad {
  const shared = 'member-data-api/payer-cohort';
  const seed = `${shared}/${lob}/${name}`;
  const { given, family, gender, birthDate, number } = cohortMembers[name];
  const drawn = syntheticPerson(pseudoRandom(seed), lob, traits);
  const areaCode = areaCodes[drawn.addresses.at(-1)?.place.state ?? 'DC'];
  const email = `${name}.partnerfield.${lob}@example.com`.toLowerCase();
  const phone = `+1-${areaCode}-555-0${firstLine + at}`;
  const person = {
    ...drawn,
    ...{ gender, birthDate, familyName: family, givenNames: [given] },
    memberId: cohortMemberId(lob, { number }),
    demographics: demographicsOf(pseudoRandom(`${seed}/demographics`), at, { phone, email }),
  };
  const record = memberRecord(shared, person, {
    seed: `${seed}/claims`,
    history: { about: '', treatments: histories[name] },
    periods: [{ start: '2018-01-01' }],
    ...(name === 'matched' && { authorizedIn: month }),
  });
  return {
    ...{ lob, email, givenName: given, familyName: family },
    ...{ patientId: person.patientId, memberId: person.memberId },
    phoneNumber: phone.replaceAll('-', ''),
    resources: [patientLoad(person), ...(name === 'sensitive' ? record.map(labeled) : record)],
  };
}

/** HL7's security label for mental health information, which only a Consent to sensitive data releases. */
const label = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'MH' };

/** Adds the security label to a Condition; other resources are unchanged. */
function labeled(resource: MemberLoad['resources'][number]): MemberLoad['resources'][number] {
  if (resource.resourceType !== 'Condition') return resource;
  const { meta, ...rest } = JSON.parse(resource.json);
  return { ...resource, json: JSON.stringify({ ...rest, meta: { ...meta, security: [label] } }) };
}
