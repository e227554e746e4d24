/** A population of any size: families, years of chronic disease, several plans, gaps in coverage and unknown birth dates, from a seed. */

import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { MemberLoad } from '../../lambdas/members/ingest-contract.ts';
import type { DatedTreatment } from './claims/claim-histories.ts';
import type { EnrolmentPeriod } from './claims/coverage.ts';
import { memberRecord } from './claims/member-claims.ts';
import type { TreatmentName } from './claims/treatments.ts';
import { demographicsOf, patientLoad, syntheticPerson, type Traits } from './members.ts';
import type { SyntheticPerson } from './patient.ts';
import { areaCodes } from './people.ts';
import { type PseudoRandom, pseudoRandom } from './pseudo-random.ts';

/** A member of a population, with their record. */
export interface PopulationMember {
  readonly patientId: string;
  /** Description of the member in words: `two plans with a gap, unknown birth month, diabetes since 2019, 212 claims`. */
  readonly about: string;
  readonly person: SyntheticPerson;
  readonly resources: MemberLoad['resources'];
}

export interface Population {
  readonly lob: LineOfBusiness;
  /** The same seed and month give the same members, byte by byte. */
  readonly seed: string;
  /** First day of the month that prior authorizations are counted from. */
  readonly month: string;
  /** Telephone numbers of the members end in this and what follows: 100 to 199 are nobody's. @default 100 */
  readonly firstLine?: number;
}

/** Members of a household: the holder of the policy, a spouse, another relative. */
const householdSize = 3;

/** The member with this number, from 0. A member depends on the population and the number alone, so that any part can be made again. */
export function populationMember(population: Population, number: number): PopulationMember {
  const { lob, seed, month } = population;
  const shared = populationSeed(seed);
  const ownSeed = `${shared}/${lob}/${number}`;
  const random = pseudoRandom(`${ownSeed}/story`);
  const isChild = hasChildren(lob) && number % householdSize === 2;
  const story = isChild ? childStory : storyOf(random, number);
  const person = personOf(population, ownSeed, number, story.traits, isChild ? childBirthYears : undefined);
  const holder = personOf(population, `${shared}/${lob}/${number - 1}`, number - 1, story.traits);
  const isDependent = (lob === 'MHBE' || lob === 'EGWP') && number % householdSize === 1;
  const record = memberRecord(shared, person, {
    seed: `${ownSeed}/claims`,
    history: { about: '', treatments: story.treatments },
    periods: story.periods,
    ...(number % chronicEvery === 0 && !isChild && { authorizedIn: month }),
    ...(isDependent && { spouse: holder.givenNames[0] ?? '' }),
  });
  const isClaim = ({ json }: { readonly json: string }) => json.includes('"use":"claim"');
  const claims = record.filter(isClaim).length;
  const words = [
    ...story.words,
    ...(isDependent ? ['covered by a spouse’s policy'] : []),
    `${claims} claims`,
  ];
  return {
    patientId: person.patientId,
    about: words.join(', '),
    person,
    resources: [patientLoad(person), ...record],
  };
}

/** Makes members one after the other: memory does not grow with their number. */
export function* populationMembers(
  population: Population,
  count: number,
  from = 0,
): Generator<PopulationMember> {
  for (let number = from; number < from + count; number += 1) yield populationMember(population, number);
}

function populationSeed(seed: string): string {
  return `member-data-api/population/${seed}`;
}

/** The same for each member of a household, whose values are drawn in turns. */
const familyTraits: Traits = { birthDate: 'whole', addresses: 'closed and open', enrolments: 1 };

/** The members of a household have a family name and an address in common. */
function personOf(
  { lob, seed, firstLine = 100 }: Population,
  ownSeed: string,
  number: number,
  traits: Traits,
  bornIn?: readonly [number, number],
): SyntheticPerson {
  const shared = populationSeed(seed);
  const household = Math.floor(number / householdSize);
  const family = syntheticPerson(pseudoRandom(`${shared}/${lob}/household/${household}`), lob, familyTraits);
  const own = syntheticPerson(pseudoRandom(ownSeed), lob, traits, bornIn);
  const { familyName, addresses } = family;
  const areaCode = areaCodes[addresses.at(-1)?.place.state ?? 'DC'];
  const line = String(firstLine + (number % (200 - firstLine)));
  const email = `${own.givenNames[0]}.${familyName}.${lob}${number}@example.com`.toLowerCase();
  const contact = { phone: `+1-${areaCode}-555-0${line}`, email };
  const home = demographicsOf(pseudoRandom(`${shared}/${lob}/household/${household}/home`), 1, contact);
  const demographics = demographicsOf(pseudoRandom(`${ownSeed}/demographics`), 1, contact);
  return { ...own, familyName, addresses, demographics: { ...demographics, street: home.street } };
}

interface Story {
  readonly traits: Traits;
  readonly periods: readonly EnrolmentPeriod[];
  readonly treatments: readonly DatedTreatment[];
  readonly words: readonly string[];
}

/** Whether the LOB's plans cover families with children: Medicare's cover nobody below 65. */
function hasChildren(lob: LineOfBusiness): boolean {
  return lob === 'CHPDC' || lob === 'CHPMD' || lob === 'MHBE';
}

const firstYear = 2018;
const lastYear = 2025;
/** Every so many members one is ill for years. */
const chronicEvery = 5;
/** Hundreds of claims: every so many of those. */
const heavyEvery = 4;

function storyOf(random: PseudoRandom, number: number): Story {
  const birthDate = random.pick(['whole', 'whole', 'whole', 'year only', 'year and month'] as const);
  const coverage = random.pick(['one plan', 'one plan', 'two plans', 'two plans with a gap'] as const);
  const traits: Traits = {
    birthDate,
    addresses: 'open',
    enrolments: coverage === 'one plan' ? 1 : 2,
  };
  const periods = periodsOf(random, coverage);
  const isChronic = number % chronicEvery === 0;
  const isHeavy = number % (chronicEvery * heavyEvery) === 0;
  const since = random.integer(firstYear + 1, firstYear + 3);
  const treatments = [
    ...usualCare(random),
    ...(isChronic ? chronicCare(since, isHeavy ? 6 : 2) : []),
    ...(isHeavy ? [...insulinSince(since), ...everyTreatment] : []),
  ].filter(({ month }) => isCovered(month, periods));
  return {
    traits,
    periods,
    treatments,
    words: [
      coverage,
      ...(birthDate === 'year only' ? ['unknown birth month'] : []),
      ...(birthDate === 'year and month' ? ['unknown day of birth'] : []),
      ...(isChronic ? [`diabetes since ${since}`] : []),
      ...(isHeavy ? [`insulin since ${since}`] : []),
    ],
  };
}

function periodsOf(
  random: PseudoRandom,
  coverage: 'one plan' | 'two plans' | 'two plans with a gap',
): readonly EnrolmentPeriod[] {
  if (coverage === 'one plan') return [{ start: `${firstYear}-01-01` }];
  const change = random.integer(2021, 2023);
  const first = { start: `${firstYear}-01-01` };
  return coverage === 'two plans'
    ? [first, { start: `${change}-01-01` }]
    : [{ ...first, end: `${change - 1}-08-31` }, { start: `${change}-02-01` }];
}

/** A course of treatment takes a month at most: the month after its own has to be covered too. */
function isCovered(month: string, periods: readonly EnrolmentPeriod[]): boolean {
  return periods.some(({ start, end }, at) => {
    const next = periods[at + 1]?.start;
    const last = end ?? (next === undefined ? '9999-12-31' : next);
    return start <= `${month}-01` && twoMonthsAfter(month) <= last;
  });
}

function twoMonthsAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number + 1, 1)).toISOString().slice(0, 10);
}

const usual: readonly [TreatmentName, ...TreatmentName[]] = ['checkup', 'teeth', 'bronchitis', 'filling'];
const rare: readonly [TreatmentName, ...TreatmentName[]] = [
  'ankle',
  'pneumonia',
  'colon',
  'knee',
  'soreMouth',
  'straightening',
  'bridge',
];
const exceptions = [undefined, undefined, undefined, 'twice', 'corrected'] as const;

/** A check-up or so a year, and now and then something more. */
function usualCare(random: PseudoRandom): readonly DatedTreatment[] {
  return years(firstYear + 1).flatMap((year) => {
    const routine = course(random, year, random.pick(usual));
    const more = course(random, year, random.pick(rare));
    return random.integer(1, 4) === 1 ? [routine, more] : [routine];
  });
}

function course(random: PseudoRandom, year: number, treatment: TreatmentName): DatedTreatment {
  const exception = random.pick(exceptions);
  const exceptionalKind = random.pick([undefined, 'pharmacy'] as const);
  return {
    treatment,
    month: monthOf(year, random.integer(1, 11)),
    ...(exception !== undefined && { exception }),
    ...(exceptionalKind !== undefined && { exceptionalKind }),
  };
}

/** Each course of treatment once: who has hundreds of claims has claims of every kind. */
const everyTreatment: readonly DatedTreatment[] = [...usual, ...rare].map((treatment, at) => ({
  treatment,
  month: monthOf(2019 + (at % 2) * 5, 1 + at),
  exception: (['twice', 'corrected', 'outside'] as const)[at % 3] ?? 'twice',
}));

/** Diabetes, so many times a year. */
function chronicCare(since: number, timesAYear: number): readonly DatedTreatment[] {
  return years(since).flatMap((year) =>
    Array.from({ length: timesAYear }, (_, at) => ({
      treatment: at % 3 === 2 ? ('cholesterol' as const) : ('diabetes' as const),
      month: monthOf(year, 1 + Math.floor((at * 12) / timesAYear)),
    })),
  );
}

/** Insulin each month. */
function insulinSince(since: number): readonly DatedTreatment[] {
  return years(since).flatMap((year) =>
    Array.from({ length: 12 }, (_, at) => ({ treatment: 'insulin' as const, month: monthOf(year, at + 1) })),
  );
}

/** Years of birth of children, whose first check-ups the plan paid for. */
const childBirthYears = [2017, 2017] as const;

/** A child's life: check-ups from birth, and what children have. */
const childStory: Story = {
  traits: { birthDate: 'whole', addresses: 'open', enrolments: 1 },
  periods: [{ start: `${firstYear}-01-01` }],
  treatments: [
    ...[
      '2018-01',
      '2018-04',
      '2018-08',
      '2019-02',
      '2019-08',
      '2020-02',
      '2021-02',
      '2022-02',
      '2023-02',
    ].map((month) => ({ treatment: 'childCheckup' as const, month })),
    { treatment: 'bronchitis', month: '2019-11' },
    { treatment: 'ankle', month: '2024-05' },
    { treatment: 'teeth', month: '2024-09' },
    { treatment: 'childCheckup', month: '2025-02' },
    { treatment: 'filling', month: '2025-06' },
  ],
  words: ['child', 'one plan', 'check-ups from birth'],
};

function years(from: number): readonly number[] {
  return Array.from({ length: lastYear - from + 1 }, (_, at) => from + at);
}

function monthOf(year: number, month: number): string {
  return `${year}-${String(month).padStart(2, '0')}`;
}
