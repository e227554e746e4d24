/** Synthetic Observations: the elements that all of them have, and the one draft of them. */

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
  /** Social determinants of health, of US Core's own code system. */
  | 'sdoh'
  | 'functional-status'
  | 'disability-status'
  | 'cognitive-status';

/** Categories of US Core's own code system; the others are HL7's. */
const ofUsCore: readonly ObservationCategory[] = [
  'sdoh',
  'functional-status',
  'disability-status',
  'cognitive-status',
];

/** An Observation's own part: category, code, value. */
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

/** The reason that an Observation has no value. */
export function absent(reason: 'not-performed' | 'asked-declined' | 'error'): {
  readonly dataAbsentReason: CodeableConcept;
} {
  return { dataAbsentReason: coded('absent', reason) };
}
