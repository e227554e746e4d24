/** Generates the answers to the questions of a check-up (mood, food, work and life), and a declined vaccine. */

import { concept } from '../record/codes.ts';
import { daysAfter } from '../record/dates.ts';
import { internalPrefix } from '../record/internal-prefix.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import { abilitiesOf } from './abilities.ts';
import {
  type ClinicalRecord,
  clinical,
  coded,
  memberOf,
  quantity,
  refer,
  type Visit,
} from './clinical-record.ts';
import { absent, type ObservationContent, observation } from './observation.ts';
import { yearsOld } from './vital-signs.ts';

/** Age from which members answer questions themselves. */
const grownUp = 18;

/**
 * Answers at a check-up, and their consequences.
 *
 * @param checkup number of the check-up, from 0
 */
export function answersOf(random: PseudoRandom, visit: Visit, checkup: number): readonly ClinicalRecord[] {
  const { person, start } = visit.claim;
  if (yearsOld(person, start) < grownUp) return [];
  return [
    ...moodOf(random, visit),
    ...foodOf(random, visit, checkup),
    ...lifeOf(random, visit, checkup),
    ...(checkup === 0 ? [unwantedVaccine(random, visit), ...abilitiesOf(random, visit)] : []),
  ];
}

function moodOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const { claim, organization } = visit;
  const notAtAll = { valueCoding: { system: 'http://loinc.org', code: 'LA6568-5' } };
  const questions = [
    ['44250-9', 'Little interest or pleasure in doing things'],
    ['44255-8', 'Feeling down, depressed or hopeless'],
  ] as const;
  const response = clinical(
    random,
    'QuestionnaireResponse',
    ['us-core-questionnaireresponse'],
    {
      identifier: {
        system: `${internalPrefix}/identifier/questionnaire-response`,
        value: `Q${random.digits(9)}`,
      },
      questionnaire: `${internalPrefix}/Questionnaire/two-questions-about-mood`,
      _questionnaire: {
        extension: [
          { url: 'http://hl7.org/fhir/StructureDefinition/display', valueString: 'Two questions about mood' },
          {
            url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-extension-questionnaire-uri',
            valueUri: 'https://memberdata.example/forms/two-questions-about-mood.pdf',
          },
        ],
      },
      status: 'completed',
      subject: memberOf(claim.person),
      authored: claim.start,
      author: memberOf(claim.person),
      item: [
        {
          linkId: 'two-weeks',
          text: 'Over the last two weeks',
          item: questions.map(([linkId, text]) => ({
            linkId,
            text,
            answer: [
              {
                ...notAtAll,
                item: [{ linkId: `${linkId}-words`, text: 'In your words', answer: [{ valueString: 'No' }] }],
              },
            ],
          })),
        },
      ],
    },
    claim.decided,
  );
  return [
    { draft: response, from: organization },
    observation(random, visit, {
      profiles: ['us-core-observation-screening-assessment'],
      categories: ['survey'],
      code: coded('loinc', '55758-7', 'Score of two questions about mood'),
      rest: { valueQuantity: quantity(0, '{score}'), derivedFrom: [refer(response)] },
    }),
  ];
}

/** Answers about having enough food, as LOINC codes; the first indicates a risk. */
const foodAnswers = [
  { code: 'LA19952-3', text: 'At risk' },
  { code: 'LA19983-8', text: 'No risk' },
] as const;

/** One of this many members has too little food at the first check-up, until the year after it. */
const shortOfFoodEvery = 3;

function foodOf(random: PseudoRandom, visit: Visit, checkup: number): readonly ClinicalRecord[] {
  const { claim, organization } = visit;
  const isAtRisk = random.integer(1, shortOfFoodEvery) === 1 && checkup === 0;
  const hasDeclined = !isAtRisk && random.integer(1, 4) === 1;
  const { code, text } = foodAnswers[isAtRisk ? 0 : 1];
  const screening = (rest: ObservationContent['rest'], loinc: string, words: string) =>
    observation(random, visit, {
      profiles: ['us-core-observation-screening-assessment'],
      categories: ['survey', 'sdoh'],
      code: coded('loinc', loinc, words),
      rest,
    });
  const answer = screening(
    hasDeclined ? absent('asked-declined') : { valueCodeableConcept: coded('loinc', code, text) },
    '88124-3',
    'Risk of having too little food',
  );
  const panel = screening({ hasMember: [refer(answer.draft)] }, '88121-9', 'Questions about food');
  if (!isAtRisk) return [answer, panel];
  const concern = clinical(
    random,
    'Condition',
    ['us-core-condition-problems-health-concerns'],
    {
      clinicalStatus: coded('conditionStatus', 'resolved'),
      verificationStatus: coded('conditionVerification', 'confirmed'),
      category: [
        coded('usCoreConditionCategory', 'health-concern', 'Health concern'),
        coded('usCoreCategory', 'sdoh', 'Living conditions'),
      ],
      code: concept('icd10cm', 'Z59.41', 'Too little food'),
      subject: memberOf(claim.person),
      onsetDateTime: claim.start,
      abatementDateTime: daysAfter(claim.start, 365),
      recordedDate: claim.start,
      evidence: [{ detail: [refer(answer.draft)] }],
    },
    claim.decided,
  );
  return [answer, panel, { draft: concern, from: organization }];
}

const jobs = ['Bus driver', 'Cook', 'Teacher', 'Nurse'] as const;
/** Age until which women are asked about pregnancy. */
const askedAboutPregnancyUntil = 56;

/** Answers about smoking at each check-up, and about work, school and others at the first. */
function lifeOf(random: PseudoRandom, visit: Visit, checkup: number): readonly ClinicalRecord[] {
  const { person, start } = visit.claim;
  const isAskedAboutPregnancy =
    person.gender === 'female' && yearsOld(person, start) < askedAboutPregnancyUntil;
  const answer = (
    name: string,
    loinc: string,
    text: string,
    rest: ObservationContent['rest'],
  ): ClinicalRecord =>
    observation(random, visit, {
      profiles: [`us-core-${name}`],
      categories: ['social-history'],
      code: coded('loinc', loinc, text),
      rest,
    });
  const value = (valueCodeableConcept: object) => ({ valueCodeableConcept });
  const smoking = answer(
    'smokingstatus',
    '72166-2',
    'Tobacco smoking',
    value(coded('snomed', '266919005', 'Never smoked')),
  );
  const pregnancy = isAskedAboutPregnancy
    ? [
        answer(
          'observation-pregnancystatus',
          '82810-3',
          'Pregnancy',
          value(coded('snomed', '60001007', 'Not pregnant')),
        ),
        answer(
          'observation-pregnancyintent',
          '86645-9',
          'Wish for a pregnancy in the next year',
          value(coded('nullFlavor', 'UNK', 'Not known')),
        ),
      ]
    : [];
  if (checkup > 0) return [smoking, ...pregnancy];
  return [
    smoking,
    ...pregnancy,
    answer('observation-occupation', '11341-5', 'Work', {
      effectivePeriod: { start: '1999-04', end: start },
      ...value({ text: random.pick(jobs) }),
      component: [
        { code: coded('loinc', '86188-0', 'Industry'), valueCodeableConcept: { text: 'Public services' } },
      ],
    }),
    answer(
      'observation-sexual-orientation',
      '76690-7',
      'Sexual orientation',
      value(coded('nullFlavor', 'ASKU', 'Asked, and did not say')),
    ),
    answer('simple-observation', '82589-3', 'Highest school', value({ text: 'High school' })),
  ];
}

/** A vaccine that the member was offered and declined. */
function unwantedVaccine(random: PseudoRandom, { claim, encounter, organization }: Visit): ClinicalRecord {
  const draft = clinical(
    random,
    'Immunization',
    ['us-core-immunization'],
    {
      status: 'not-done',
      statusReason: coded('actReason', 'PATOBJ', 'The member does not want it'),
      vaccineCode: coded('cvx', '33', 'Pneumonia vaccine'),
      patient: memberOf(claim.person),
      encounter: refer(encounter),
      occurrenceDateTime: claim.start,
      primarySource: true,
    },
    claim.decided,
  );
  return { draft, from: organization };
}
