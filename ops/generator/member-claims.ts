/** Generates a member's record: coverage, claims, and clinical data that agrees with them. */

import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { MemberLoad } from '../../lambdas/loads/ingest/ingest-contract.ts';
import type { Claim } from './claims/claim.ts';
import { type ClaimHistory, historyOf } from './claims/claim-histories.ts';
import { type EnrolmentPeriod, enrolmentsOf, subscriberOf } from './claims/coverage.ts';
import { inpatient, outpatient } from './claims/institutional.ts';
import type { PlannedService } from './claims/model.ts';
import { oral } from './claims/oral.ts';
import { pharmacy } from './claims/pharmacy.ts';
import { professional } from './claims/professional.ts';
import { claimsOfMember } from './claims/timeline.ts';
import { memberClinical } from './clinical/member-clinical.ts';
import { priorAuthorizationsOf } from './clinical/prior-authorizations.ts';
import { partiesOf } from './record/parties.ts';
import type { SyntheticPerson } from './record/patient.ts';
import { givenNames } from './record/people.ts';
import { type PseudoRandom, pseudoRandom } from './record/pseudo-random.ts';
import { type Draft, loaded } from './record/resource.ts';

/**
 * Generates the resources of a member beside the Patient: enrollments, claims, matching clinical data, the plan and the providers.
 *
 * @param seed of the environment.
 * @param index of the member within the LOB.
 * @param month of the seeding: its first day.
 */
export function memberClaims(
  seed: string,
  person: SyntheticPerson,
  index: number,
  month: string,
): MemberLoad['resources'] {
  const { lob } = person;
  const starts = index === 2 ? ['2024-01-01', '2026-01-01'] : ['2018-01-01', '2023-01-01'];
  return memberRecord(seed, person, {
    seed: `${seed}/${lob}/${index}/claims`,
    history: historyOf(lob, index),
    periods: starts.map((start) => ({ start })),
    ...(index === 0 && { authorizedIn: month }),
    ...(coveredBySpouse(lob, index) && { spouse: 'invented' }),
  });
}

/** The description of a member that a record is generated from. */
export interface MemberStory {
  /** Seed of the values that are the member's own. */
  readonly seed: string;
  /** The courses of treatment, all within the enrollment periods. */
  readonly history: ClaimHistory;
  readonly periods: readonly EnrolmentPeriod[];
  /** Given name of the spouse whose policy covers the member; `invented` for a random name. */
  readonly spouse?: string;
  /** First day of the month that prior authorizations are relative to; without it there are none. */
  readonly authorizedIn?: string;
}

/**
 * Generates the resources of a member from a description.
 *
 * @param seed of the members who share a plan and its providers.
 */
export function memberRecord(
  seed: string,
  person: SyntheticPerson,
  { seed: ownSeed, history, periods, spouse: spouseGiven, authorizedIn }: MemberStory,
): MemberLoad['resources'] {
  const { lob } = person;
  const parties = partiesOf(seed, lob, stateOf(person));
  const random = pseudoRandom(ownSeed);
  const given = spouseGiven === 'invented' ? spousesName(random, person) : spouseGiven;
  const spouse =
    given === undefined ? undefined : subscriberOf(random, person, given, periods[0]?.start ?? '');
  const subscriber = spouse?.party;
  const enrolments = enrolmentsOf(random, person, { insurer: parties.insurer, subscriber }, periods);
  const claims = claimsOfMember(ownSeed, history, {
    person,
    parties,
    enrolments,
    subscriber,
  });
  const explanations = claims.map((claim, at) =>
    written(pseudoRandom(`${ownSeed}/explanation/${at}`), claim),
  );
  const own = [
    ...enrolments.map(({ coverage }) => coverage),
    ...(spouse === undefined ? [] : [spouse.draft]),
    ...explanations,
    ...(authorizedIn === undefined
      ? []
      : priorAuthorizationsOf(pseudoRandom(`${ownSeed}/prior-authorizations`), {
          person,
          parties,
          enrolments,
          claims,
          month: authorizedIn,
        })),
  ];
  const clinical = memberClinical(seed, { person, parties, claims, own });
  const resources = [...own, ...clinical].map(loaded);
  return [...resources, ...named(parties.resources, resources).map(loaded)];
}

/** The shared resources (plan, providers) that a member's own resources refer to. */
function named(resources: readonly Draft[], by: MemberLoad['resources']): readonly Draft[] {
  return resources.filter(({ resourceType, id }) =>
    by.some(({ json }) => json.includes(`"${resourceType}/${id}"`)),
  );
}

function written(random: PseudoRandom, claim: Claim): Draft {
  const { service } = claim;
  switch (service.kind) {
    case 'inpatient':
      return inpatient(random, { ...claim, service });
    case 'outpatient':
      return outpatient(random, { ...claim, service });
    case 'professional':
      return professional(random, { ...claim, service });
    case 'pharmacy':
      return pharmacy(random, { ...claim, service });
    case 'oral':
      return oral(random, { ...claim, service });
    default:
      return unwritten(service);
  }
}

function unwritten(service: never): never {
  throw new Error(`a claim of no kind: ${JSON.stringify(service satisfies never as PlannedService)}`);
}

/** Whether a spouse's policy covers the member: families share policies of the exchange and of employers. */
export function coveredBySpouse(lob: LineOfBusiness, index: number): boolean {
  return (lob === 'MHBE' && index === 1) || (lob === 'EGWP' && index === 0);
}

function spousesName(random: PseudoRandom, { gender }: SyntheticPerson): string {
  return random.pick(givenNames[gender === 'female' ? 'male' : 'female']);
}

function stateOf({ addresses }: SyntheticPerson): 'DC' | 'MD' {
  return addresses.at(-1)?.place.state === 'MD' ? 'MD' : 'DC';
}
