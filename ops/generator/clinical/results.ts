/** Vital signs, laboratory results and answers to questions, as visits and laboratory claims call for them. */

import type { Claim } from '../claims/claim.ts';
import { concept } from '../claims/codes.ts';
import { daysAfter } from '../claims/dates.ts';
import type { Draft } from '../claims/resource.ts';
import { internalPrefix } from '../internal-prefix.ts';
import type { PseudoRandom } from '../pseudo-random.ts';
import {
  type ClinicalRecord,
  clinical,
  coded,
  decimal,
  memberOf,
  quantity,
  refer,
  type Visit,
} from './clinical-record.ts';

/** An Observation's own part: category, code, value. */
interface Finding {
  readonly profiles: readonly string[];
  readonly category: 'laboratory' | 'vital-signs' | 'social-history' | 'survey';
  readonly code: object;
  readonly rest: Readonly<Record<string, unknown>>;
}

function observation(
  random: PseudoRandom,
  { claim, encounter, organization }: Pick<Visit, 'claim' | 'organization'> & { readonly encounter?: Draft },
  { profiles, category, code, rest }: Finding,
): ClinicalRecord {
  const draft = clinical(
    random,
    'Observation',
    profiles,
    {
      status: 'final',
      category: [coded('observationCategory', category)],
      code,
      subject: memberOf(claim.person),
      ...(encounter !== undefined && { encounter: refer(encounter) }),
      effectiveDateTime: claim.start,
      performer: [organization],
      ...rest,
    },
    claim.decided,
  );
  return { draft, from: organization };
}

/** Blood pressure and weight of a visit to a doctor's office. */
export function vitalSignsOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const { service } = visit.claim;
  if (service.kind !== 'professional') return [];
  const high = service.diagnoses.some(({ code }) => code === 'I10');
  const pressure = (code: string, text: string, value: number) => ({
    code: coded('loinc', code, text),
    valueQuantity: quantity(value, 'mmHg', 'mm[Hg]'),
  });
  return [
    observation(random, visit, {
      profiles: ['us-core-blood-pressure'],
      category: 'vital-signs',
      code: coded('loinc', '85354-9', 'Blood pressure'),
      rest: {
        component: [
          pressure('8480-6', 'Systolic', high ? random.integer(140, 158) : random.integer(112, 128)),
          pressure('8462-4', 'Diastolic', high ? random.integer(88, 96) : random.integer(68, 82)),
        ],
      },
    }),
    observation(random, visit, {
      profiles: ['us-core-body-weight'],
      category: 'vital-signs',
      code: coded('loinc', '29463-7', 'Body weight'),
      rest: { valueQuantity: quantity(decimal(random, 58, 92), 'kg') },
    }),
  ];
}

/** The results that a diagnosis asks for. */
export function checksOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const checked = {
    'E11.9': ['4548-4', 'Hemoglobin A1c', quantity(decimal(random, 6.8, 7.9), '%')],
    'E78.5': ['13457-7', 'LDL cholesterol', quantity(random.integer(138, 172), 'mg/dL')],
  } as const;
  return visit.claim.service.diagnoses.flatMap(({ code }) => {
    if (visit.claim.service.kind !== 'professional' || !Object.hasOwn(checked, code)) return [];
    const [loinc, text, valueQuantity] = checked[code as keyof typeof checked];
    return [
      observation(random, visit, {
        profiles: ['us-core-observation-lab'],
        category: 'laboratory',
        code: coded('loinc', loinc, text),
        rest: { valueQuantity },
      }),
    ];
  });
}

/** Smoking, and the screening for depression, of a yearly visit. */
export function answersOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const { claim, organization } = visit;
  if (!claim.service.lines.some(({ code }) => code === 'G0444')) return [];
  const questions = [
    ['44250-9', 'Little interest or pleasure in doing things'],
    ['44255-8', 'Feeling down, depressed or hopeless'],
  ] as const;
  const response = clinical(
    random,
    'QuestionnaireResponse',
    ['us-core-questionnaireresponse'],
    {
      questionnaire: `${internalPrefix}/Questionnaire/two-questions-about-mood`,
      status: 'completed',
      subject: memberOf(claim.person),
      authored: claim.start,
      author: memberOf(claim.person),
      item: questions.map(([linkId, text]) => ({
        linkId,
        text,
        answer: [{ valueCoding: { system: 'http://loinc.org', code: 'LA6568-5' } }],
      })),
    },
    claim.decided,
  );
  return [
    { draft: response, from: organization },
    observation(random, visit, {
      profiles: ['us-core-observation-screening-assessment'],
      category: 'survey',
      code: coded('loinc', '55758-7', 'Score of two questions about mood'),
      rest: { valueQuantity: quantity(0, '{score}'), derivedFrom: [refer(response)] },
    }),
    observation(random, visit, {
      profiles: ['us-core-smokingstatus'],
      category: 'social-history',
      code: coded('loinc', '72166-2', 'Tobacco smoking'),
      rest: { valueCodeableConcept: coded('snomed', '266919005', 'Never smoked') },
    }),
  ];
}

/** A laboratory's claim for a blood count: the order of a visit, the sample, the results and the report. */
export function bloodCountOf(
  random: PseudoRandom,
  claim: Claim,
  visits: readonly Visit[],
): readonly ClinicalRecord[] {
  const { service, parties, person, start, decided } = claim;
  const [line] = service.lines;
  if (service.kind !== 'professional' || service.by !== 'laboratory' || line === undefined) return [];
  const { organization } = parties.providers.laboratory;
  const { practitioner: doctor, organization: practice } = parties.providers['primary care'];
  const requester = doctor && { reference: doctor.reference, display: doctor.display };
  const code = concept('hcpcs', line.code ?? '', line.text);
  const visit = visits.findLast(
    (each) => each.claim.start <= start && start <= daysAfter(each.claim.start, 3),
  );
  const encounter = visit && { encounter: refer(visit.encounter) };
  const order = clinical(
    random,
    'ServiceRequest',
    ['us-core-servicerequest'],
    {
      status: 'completed',
      intent: 'order',
      category: [coded('snomed', '108252007', 'Laboratory')],
      code,
      subject: memberOf(person),
      ...encounter,
      occurrenceDateTime: start,
      authoredOn: start,
      ...(requester !== undefined && { requester }),
    },
    decided,
  );
  const specimen = clinical(
    random,
    'Specimen',
    ['us-core-specimen'],
    {
      type: coded('snomed', '119297000', 'Blood'),
      subject: memberOf(person),
      collection: { collectedDateTime: start },
    },
    decided,
  );
  const results = (
    [
      ['718-7', 'Hemoglobin', quantity(decimal(random, 12.4, 15.8), 'g/dL')],
      ['6690-2', 'White blood cells', quantity(decimal(random, 4.6, 9.8), '10*3/uL')],
      ['777-3', 'Platelets', quantity(random.integer(172, 340), '10*3/uL')],
    ] as const
  ).map(([loinc, text, valueQuantity]) =>
    observation(
      random,
      { claim, organization },
      {
        profiles: ['us-core-observation-lab'],
        category: 'laboratory',
        code: coded('loinc', loinc, text),
        rest: { valueQuantity, specimen: refer(specimen) },
      },
    ),
  );
  const report = clinical(
    random,
    'DiagnosticReport',
    ['us-core-diagnosticreport-lab'],
    {
      basedOn: [refer(order)],
      status: 'final',
      category: [coded('diagnosticService', 'LAB', 'Laboratory')],
      code: coded('loinc', '58410-2', 'Blood count'),
      subject: memberOf(person),
      ...encounter,
      effectiveDateTime: start,
      issued: `${start}T20:15:00-05:00`,
      performer: [organization],
      specimen: [refer(specimen)],
      result: results.map(({ draft }) => refer(draft)),
    },
    decided,
  );
  return [
    { draft: order, from: practice },
    ...[specimen, report].map((draft) => ({ draft, from: organization })),
    ...results,
  ];
}
