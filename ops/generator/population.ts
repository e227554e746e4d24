/**
 * Generates a population of any size from a seed: families, years of chronic disease, several plans, gaps in coverage and unknown birth
 * dates.
 */

import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { MemberLoad } from '../../lambdas/loads/ingest/ingest-contract.ts';
import type { EnrolmentPeriod } from './claims/coverage.ts';
import type { DatedTreatment } from './claims/dated-treatment.ts';
import { diabetesCare } from './claims/ongoing-care.ts';
import type { TreatmentName } from './claims/treatments.ts';
import { memberRecord } from './member-claims.ts';
import { demographicsOf, patientLoad, syntheticPerson, type Traits } from './members.ts';
import { lastMonth, monthAfter } from './record/dates.ts';
import type { SyntheticPerson } from './record/patient.ts';
import { areaCodes } from './record/people.ts';
import { type PseudoRandom, pseudoRandom } from './record/pseudo-random.ts';

/** A member of a population with the record. */
export interface PopulationMember {
  readonly patientId: string;
  /** Description of the member: `two plans with a gap, unknown birth month, diabetes since 2019, 212 claims`. */
  readonly about: string;
  readonly person: SyntheticPerson;
  readonly resources: MemberLoad['resources'];
}

export interface Population {
  readonly lob: LineOfBusiness;
  /** The same seed and month generate the same members, byte by byte. */
  readonly seed: string;
  /** First day of the month that prior authorizations are relative to. */
  readonly month: string;
  /**
   * First phone number of the members; 555-0100 to 555-0199 are fictitious.
   *
   * @default 100
   */
  readonly firstLine?: number;
}

/** Members of a household: the policyholder, a spouse, another relative. */
const householdSize = 3;

/**
 * Generates the member with a number, from 0. A member depends only on the population and the number, so that any part of a population can
 * be generated again.
 */
export function populationMember(population: Population, number: number): PopulationMember {
  const { lob, seed, month } = population;
  const shared = populationSeed(seed);
  const ownSeed = `${shared}/${lob}/${number}`;
  const random = pseudoRandom(`${ownSeed}/story`);
  const isChild = hasChildren(lob) && number % householdSize === 2;
  const isDead = lob === 'MAPD' && number % deadEvery === 1;
  const story = isChild ? childStory : isDead ? untilDeath(storyOf(random, number)) : storyOf(random, number);
  const living = personOf(population, ownSeed, number, story.traits, isChild ? childBirthYears : undefined);
  const person = isDead ? { ...living, diedOn } : living;
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

/** Generates members one after the other, so that memory does not grow with their number. */
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

/** Traits that all members of a household share, so that the same random values are drawn in the same order for each. */
const familyTraits: Traits = { birthDate: 'whole', addresses: 'closed and open', enrolments: 1 };

/** A member of a household; all have the same family name and address. */
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
  const person = { ...own, familyName, addresses, demographics: { ...demographics, street: home.street } };
  return number % householdSize === 0 ? { ...person, ...rareOf(person, own) } : person;
}

/** Elements of a Patient that few people have but conformance suites look for: a suffix, a name before marriage, a tribe. */
function rareOf({ gender, demographics: { race } }: SyntheticPerson, born: { readonly familyName: string }) {
  return {
    ...(gender === 'male'
      ? { suffix: 'Jr.' }
      : { formerName: { family: born.familyName, until: '2012-06-16' } }),
    ...(race.code === nativeRace && { tribe: { code: '91', text: 'Fort Mojave Indian Tribe' } }),
  };
}

/** Code of CDC Race and Ethnicity: American Indian or Alaska Native. */
const nativeRace = '1002-5';

interface Story {
  readonly traits: Traits;
  readonly periods: readonly EnrolmentPeriod[];
  readonly treatments: readonly DatedTreatment[];
  readonly words: readonly string[];
}

/** One of this many members of a Medicare plan has died, on the following day. */
const deadEvery = 30;
const diedOn = '2026-06-11';

/** Ends treatments, coverage and care at the member's death. */
function untilDeath(story: Story): Story {
  const periods = story.periods.map((period, at, all) =>
    at === all.length - 1 ? { ...period, end: diedOn } : period,
  );
  return {
    ...story,
    periods,
    treatments: story.treatments.filter(({ month }) => `${monthAfter(month, 2)}-01` <= diedOn),
    words: [...story.words, `died in ${diedOn.slice(0, 4)}`],
  };
}

/** Whether a LOB's plans cover families with children; Medicare plans cover nobody below 65 here. */
function hasChildren(lob: LineOfBusiness): boolean {
  return lob === 'CHPDC' || lob === 'CHPMD' || lob === 'MHBE';
}

const firstYear = 2018;
const lastYear = Number(lastMonth.slice(0, 4));
/** One of this many members has a chronic disease. */
const chronicEvery = 5;
/** One of this many members with a chronic disease has hundreds of claims and every kind of care. */
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
    ...usualCare(random, periods, isHeavy),
    ...(isChronic
      ? diabetesCare({ since: `${since}-02`, visitsAYear: isHeavy ? 4 : 2, insulin: isHeavy })
      : []),
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

/** Whether a month and the next one are covered, since a course of treatment takes up to a month. */
function isCovered(month: string, periods: readonly EnrolmentPeriod[]): boolean {
  return periods.some(
    ({ start, end = '9999-12-31' }) => start <= `${month}-01` && `${monthAfter(month, 2)}-01` <= end,
  );
}

/** Illnesses and accidents, repeated by their frequency in these years; a joint is replaced once. */
const mishaps = [
  ...['bronchitis', 'filling', 'soreMouth', 'ankle', 'bronchitis', 'filling'],
  ...['pneumonia', 'colon', 'knee', 'straightening', 'bridge'],
] as const satisfies readonly TreatmentName[];
const exceptions: readonly [DatedTreatment['exception'], ...DatedTreatment['exception'][]] = [
  undefined,
  ...[undefined, undefined, undefined, undefined],
  ...(['twice', 'corrected', 'outside'] as const),
];

/** Usual care: a check-up each autumn, the dentist each spring, and sometimes a mishap; with `withAll`, each mishap once. */
function usualCare(
  random: PseudoRandom,
  periods: readonly EnrolmentPeriod[],
  withAll: boolean,
): readonly DatedTreatment[] {
  let left: readonly TreatmentName[] = mishaps;
  return years(firstYear + 1).flatMap((year) => {
    const happen = withAll ? 2 : random.integer(1, 3) === 1 ? 1 : 0;
    const more = Array.from({ length: happen }, () => monthOf(year, random.integer(1, 9)))
      .filter((month) => isCovered(month, periods))
      .map((month) => {
        const [first = 'bronchitis', ...others] = left;
        const drawn = random.pick([first, ...others]);
        left = left.toSpliced(left.indexOf(drawn), 1);
        return course(random, month, drawn);
      });
    return [
      course(random, monthOf(year, checkupMonth), 'checkup'),
      course(random, monthOf(year, 4), 'teeth'),
      ...more,
    ];
  });
}

/** Flu shots are given in autumn. */
const checkupMonth = 10;

function course(random: PseudoRandom, month: string, treatment: TreatmentName): DatedTreatment {
  const exception = random.pick(exceptions);
  const exceptionalKind = random.pick([undefined, 'pharmacy'] as const);
  return {
    ...{ treatment, month },
    ...(exception !== undefined && { exception }),
    ...(exceptionalKind !== undefined && { exceptionalKind }),
  };
}

/** First and last birth year of children, chosen so that the plan paid for their first check-ups. */
const childBirthYears = [2017, 2017] as const;

/** The story of a child: check-ups from birth, and childhood illnesses. */
const childStory: Story = {
  traits: { birthDate: 'whole', addresses: 'open', enrolments: 1 },
  periods: [{ start: `${firstYear}-01-01` }],
  treatments: [
    ...[
      ...['2018-01', '2018-04', '2018-08', '2019-02', '2019-08', '2020-02', '2021-02', '2022-02', '2023-02'],
      ...['2024-02', '2025-02', '2026-02'],
    ].map((month) => ({ treatment: 'childCheckup' as const, month })),
    ...years(firstYear).map((year) => ({
      ...{ treatment: 'fluShot' as const, month: monthOf(year, checkupMonth), day: 8 },
    })),
    { treatment: 'bronchitis', month: '2019-11' },
    { treatment: 'ankle', month: '2024-05' },
    { treatment: 'teeth', month: '2024-09' },
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
