/** Generates records that a practice keeps beside single visits: allergies, care team, care plan, goal and documents. */

import { daysAfter } from '../record/dates.ts';
import { internalPrefix } from '../record/internal-prefix.ts';
import type { Parties, Party } from '../record/parties.ts';
import type { SyntheticPerson } from '../record/patient.ts';
import { givenNames } from '../record/people.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import { contentVersion, type Draft } from '../record/resource.ts';
import {
  type ClinicalRecord,
  clinical,
  coded,
  codingOf,
  memberOf,
  refer,
  type Visit,
} from './clinical-record.ts';

/** Allergies recorded at the first visit: one known substance, and one that the member could not name. */
export function allergiesOf(
  random: PseudoRandom,
  { claim, encounter, organization }: Visit,
): readonly ClinicalRecord[] {
  const allergy = (elements: Readonly<Record<string, unknown>>): ClinicalRecord => ({
    draft: clinical(
      random,
      'AllergyIntolerance',
      ['us-core-allergyintolerance'],
      {
        clinicalStatus: coded('allergyStatus', 'active'),
        type: 'allergy',
        patient: memberOf(claim.person),
        encounter: refer(encounter),
        ...elements,
      },
      claim.decided,
    ),
    from: organization,
  });
  return [
    allergy({
      verificationStatus: coded('allergyVerification', 'confirmed'),
      category: ['food'],
      criticality: 'low',
      code: coded('snomed', '91935009', 'Allergy to peanuts'),
      recordedDate: claim.start,
      reaction: [{ manifestation: [coded('snomed', '247472004', 'Hives')] }],
    }),
    allergy({
      verificationStatus: coded('allergyVerification', 'unconfirmed'),
      category: ['medication'],
      code: coded('absent', 'unknown', 'A medicine whose name the member does not know'),
      _onsetDateTime: {
        extension: [
          { url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' },
        ],
      },
      recordedDate: claim.start,
    }),
  ];
}

/** The care team of the physician whom a member sees most, with that physician's role, and a care plan for a chronic disease. */
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

/** A relative who helps a member with a chronic disease. */
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

/** LOINC type and title of each kind of note that US Core names. */
const notes = {
  progress: ['11506-3', 'Note of a visit'],
  consultation: ['11488-4', 'Note of a consultation'],
  history: ['34117-2', 'History and examination'],
  procedure: ['28570-0', 'Note of a procedure'],
  discharge: ['18842-5', 'Summary of a hospital stay'],
} as const;
export type NoteKind = keyof typeof notes;

/** The kinds of notes that are written after a visit. */
export function noteKindsOf({ claim: { service } }: Visit): readonly NoteKind[] {
  if (service.kind === 'inpatient') return ['history', 'discharge'];
  if (service.kind === 'outpatient') return ['procedure'];
  return [service.kind === 'professional' && service.by === 'urgent care' ? 'consultation' : 'progress'];
}

/** A note about a visit, with its text in the DocumentReference itself or in a Binary. */
export function noteOf(
  random: PseudoRandom,
  visit: Visit,
  kind: NoteKind,
  place: 'inline' | 'Binary',
): readonly ClinicalRecord[] {
  const { claim, encounter, organization, practitioner } = visit;
  const { person, start, end, service, decided } = claim;
  const [loinc, title] = notes[kind];
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
      type: coded('loinc', loinc, title),
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

/** Provenance of the records: one resource for each organization that they come from, transmitted by the plan. */
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
