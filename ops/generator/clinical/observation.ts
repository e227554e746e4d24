/** Builds synthetic Observations from their content and the elements that all of them have. */

import type { CodeableConcept } from '../record/codes.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import type { Draft } from '../record/resource.ts';
import { type ClinicalRecord, clinical, coded, memberOf, refer, type Visit } from './clinical-record.ts';

export type ObservationCategory =
  | 'laboratory'
  | 'vital-signs'
  | 'social-history'
  | 'survey'
  | 'imaging'
  /** Social determinants of health, from US Core's code system. */
  | 'sdoh'
  | 'functional-status'
  | 'disability-status'
  | 'cognitive-status';

/** Categories from US Core's code system; the others are HL7's. */
const ofUsCore: readonly ObservationCategory[] = [
  'sdoh',
  'functional-status',
  'disability-status',
  'cognitive-status',
];

/** The content of an Observation: category, code, value. */
export interface ObservationContent {
  readonly profiles: readonly string[];
  readonly categories: readonly ObservationCategory[];
  readonly code: object;
  readonly rest: Readonly<Record<string, unknown>>;
}

export function observation(
  random: PseudoRandom,
  { claim, encounter, organization }: Pick<Visit, 'claim' | 'organization'> & { readonly encounter?: Draft },
  { profiles, categories, code, rest }: ObservationContent,
): ClinicalRecord {
  const isTimed = Object.keys(rest).some((name) => name.startsWith('effective'));
  const draft = clinical(
    random,
    'Observation',
    profiles,
    {
      status: 'final',
      category: categories.map((each) =>
        coded(ofUsCore.includes(each) ? 'usCoreCategory' : 'observationCategory', each),
      ),
      code,
      subject: memberOf(claim.person),
      ...(encounter !== undefined && { encounter: refer(encounter) }),
      ...(!isTimed && { effectiveDateTime: claim.start }),
      performer: [organization],
      ...rest,
    },
    claim.decided,
  );
  return { draft, from: organization };
}

/** The `dataAbsentReason` of an Observation without a value. */
export function absent(reason: 'not-performed' | 'asked-declined' | 'error'): {
  readonly dataAbsentReason: CodeableConcept;
} {
  return { dataAbsentReason: coded('absent', reason) };
}
