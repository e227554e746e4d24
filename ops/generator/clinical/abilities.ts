/** Generates Observations of functional, disability and cognitive status: coded answers of yes and no. */

import type { PseudoRandom } from '../record/pseudo-random.ts';
import { type ClinicalRecord, coded, type Visit } from './clinical-record.ts';
import { type ObservationCategory, observation } from './observation.ts';

/** LOINC codes of the answers. */
const no = { valueCodeableConcept: coded('loinc', 'LA32-8', 'No') };
const questions: readonly {
  readonly category: ObservationCategory;
  readonly loinc: string;
  readonly text: string;
  readonly answer: Readonly<Record<string, unknown>>;
}[] = [
  {
    ...{ category: 'functional-status', loinc: '69862-1', text: 'Difficulty in dressing or bathing' },
    answer: no,
  },
  {
    ...{ category: 'disability-status', loinc: '69858-9', text: 'Deaf, or difficulty in hearing' },
    answer: { valueBoolean: false },
  },
  {
    ...{ category: 'cognitive-status', loinc: '69860-5', text: 'Difficulty in remembering or deciding' },
    answer: no,
  },
];

/** Observations of a member's first check-up. */
export function abilitiesOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  return questions.map(({ category, loinc, text, answer }) =>
    observation(random, visit, {
      profiles: ['us-core-observation-screening-assessment'],
      categories: ['survey', category],
      code: coded('loinc', loinc, text),
      rest: answer,
    }),
  );
}
