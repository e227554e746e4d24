/** Records that a practice keeps of a member beside single visits: allergy, care team, plan, goal and documents. */

import { daysAfter } from '../claims/dates.ts';
import type { Parties, Party } from '../claims/parties.ts';
import { contentVersion, type Draft } from '../claims/resource.ts';
import { internalPrefix } from '../internal-prefix.ts';
import type { SyntheticPerson } from '../patient.ts';
import { givenNames } from '../people.ts';
import type { PseudoRandom } from '../pseudo-random.ts';
import {
  type ClinicalRecord,
  clinical,
  coded,
  codingOf,
  memberOf,
  refer,
  type Visit,
} from './clinical-record.ts';

/** An allergy that the practice wrote down at the first visit. */
export function allergyOf(random: PseudoRandom, { claim, encounter, organization }: Visit): ClinicalRecord {
  const draft = clinical(
    random,
    'AllergyIntolerance',
    ['us-core-allergyintolerance'],
    {
      clinicalStatus: coded('allergyStatus', 'active'),
      verificationStatus: coded('allergyVerification', 'confirmed'),
      type: 'allergy',
      category: ['food'],
      criticality: 'low',
      code: coded('snomed', '91935009', 'Allergy to peanuts'),
      patient: memberOf(claim.person),
      encounter: refer(encounter),
      recordedDate: claim.start,
      reaction: [{ manifestation: [coded('snomed', '247472004', 'Hives')] }],
    },
    claim.decided,
  );
  return { draft, from: organization };
}

/** The doctor a member sees most, in their role, and with a plan where a disease lasts. */
export function careOf(
  random: PseudoRandom,
  person: SyntheticPerson,
  first: Visit,
  role: Draft,
  problems: readonly Draft[],
): readonly ClinicalRecord[] {
  const { organization, practitioner, claim } = first;
  const [problem] = problems;
  const helper = problem === undefined ? undefined : helperOf(random, person, claim.decided);
  const team = clinical(
    random,
    'CareTeam',
    ['us-core-careteam'],
    {
      status: 'active',
      subject: memberOf(person),
      participant: [
        { role: [coded('snomed', '446050000', 'Primary care doctor')], member: refer(role) },
        ...(practitioner === undefined
          ? []
          : [{ role: [coded('snomed', '446050000', 'Primary care doctor')], member: practitioner }]),
        { role: [coded('snomed', '116154003', 'Patient')], member: memberOf(person) },
        ...(helper === undefined
          ? []
          : [{ role: [coded('snomed', '133932002', 'Caregiver')], member: refer(helper) }]),
      ],
    },
    claim.decided,
  );
  const drafts =
    problem === undefined || helper === undefined
      ? [team]
      : [helper, team, ...planOf(random, person, problem, team)];
  return drafts.map((draft) => ({ draft, from: organization }));
}

/** A relative who helps where a disease lasts. */
function helperOf(random: PseudoRandom, person: SyntheticPerson, known: string): Draft {
  const { place } = person.addresses.at(-1) ?? {};
  return clinical(
    random,
    'RelatedPerson',
    ['us-core-relatedperson'],
    {
      active: true,
      patient: memberOf(person),
      relationship: [coded('role', 'SIB', 'Brother or sister')],
      name: [{ family: person.familyName, given: [random.pick(givenNames.female)] }],
      telecom: [{ system: 'phone', value: '+1-202-555-0188' }],
      address: [
        { line: ['12 Pattern Way'], city: place?.city, state: place?.state, postalCode: place?.postalCode },
      ],
    },
    known,
  );
}

function planOf(
  random: PseudoRandom,
  person: SyntheticPerson,
  problem: Draft,
  team: Draft,
): readonly Draft[] {
  const start = String(problem.onsetDateTime);
  const goal = clinical(
    random,
    'Goal',
    ['us-core-goal'],
    {
      lifecycleStatus: 'active',
      description: {
        coding: [{ system: `${internalPrefix}/CodeSystem/goal`, code: 'under-control' }],
        text: 'Have the disease under control',
      },
      subject: memberOf(person),
      startDate: start,
      target: [{ dueDate: daysAfter(start, 365) }],
      addresses: [refer(problem)],
    },
    start,
  );
  const words = 'Take the medicine as prescribed, and see the doctor twice a year.';
  const plan = clinical(
    random,
    'CarePlan',
    ['us-core-careplan'],
    {
      text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml"><p>${words}</p></div>` },
      status: 'active',
      intent: 'plan',
      category: [coded('carePlanCategory', 'assess-plan', 'Assessment and plan')],
      subject: memberOf(person),
      period: { start },
      careTeam: [refer(team)],
      addresses: [refer(problem)],
      goal: [refer(goal)],
    },
    start,
  );
  return [goal, plan];
}

/** The note of a visit, with its text: in the document itself, or as a Binary. */
export function noteOf(
  random: PseudoRandom,
  visit: Visit,
  place: 'inline' | 'Binary',
): readonly ClinicalRecord[] {
  const { claim, encounter, organization, practitioner } = visit;
  const { person, start, end, service, decided } = claim;
  const isStay = service.kind === 'inpatient';
  const title = isStay ? 'Summary of a hospital stay' : 'Note of a visit';
  const found = service.diagnoses.map(({ text }) => text).join('; ');
  const text = `${title}\n${organization.display}, ${start}\n\n${found}.\n`;
  const data = Buffer.from(text).toString('base64');
  const binary = clinical(
    random,
    'Binary',
    [],
    { contentType: 'text/plain', securityContext: memberOf(person), data },
    decided,
  );
  const document = clinical(
    random,
    'DocumentReference',
    ['us-core-documentreference'],
    {
      identifier: [{ system: `${internalPrefix}/identifier/document`, value: `D${random.digits(9)}` }],
      status: 'current',
      type: coded('loinc', isStay ? '18842-5' : '11506-3', title),
      category: [coded('documentCategory', 'clinical-note', 'Clinical note')],
      subject: memberOf(person),
      date: `${end}T18:00:00-05:00`,
      author: [practitioner ?? organization],
      custodian: organization,
      content: [
        {
          attachment: {
            contentType: 'text/plain',
            ...(place === 'inline' ? { data } : { url: `Binary/${binary.id}` }),
            title,
          },
          format: { ...codingOf('documentFormat', 'urn:ihe:iti:xds:2017:mimeTypeSufficient') },
        },
      ],
      context: { encounter: [refer(encounter)], period: { start, end } },
    },
    decided,
  );
  return (place === 'inline' ? [document] : [document, binary]).map((draft) => ({
    draft,
    from: organization,
  }));
}

/** Origin of the records: one Provenance for each organization, sent on by the plan. */
export function provenancesOf(
  random: PseudoRandom,
  person: SyntheticPerson,
  { insurer, providers }: Parties,
  records: readonly ClinicalRecord[],
): readonly Draft[] {
  const groups = Map.groupBy(records, ({ from }) => from.reference);
  return [...groups.values()].map((group) => {
    const from = group[0]?.from ?? insurer;
    const last =
      group
        .map(({ draft }) => draft.meta.lastUpdated)
        .sort()
        .at(-1) ?? '';
    const doctor = Object.values(providers).find(
      ({ organization }) => organization.reference === from.reference,
    )?.practitioner;
    const version = Math.max(...group.map(({ draft }) => Number(draft.meta.versionId)));
    const agent = (system: Parameters<typeof coded>[0], code: string, who: Party) => ({
      type: coded(system, code),
      who,
    });
    return clinical(
      random,
      'Provenance',
      ['us-core-provenance'],
      {
        target: [memberOf(person), ...group.map(({ draft }) => refer(draft))],
        recorded: last,
        agent: [
          agent('provenanceParticipant', 'author', from),
          ...(doctor === undefined
            ? []
            : [
                {
                  ...agent('provenanceParticipant', 'author', {
                    reference: doctor.reference,
                    display: doctor.display,
                  }),
                  onBehalfOf: from,
                },
              ]),
          agent('usCoreProvenanceParticipant', 'transmitter', insurer),
        ],
      },
      last.slice(0, 10),
      version - contentVersion,
    );
  });
}
