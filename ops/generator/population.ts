/** A population of any size: families, years of chronic disease, several plans, gaps in coverage and unknown birth dates, from a seed. */

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
  /** Prefix of the members' telephone numbers; 100 to 199 are fictitious. @default 100 */
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

/** The same for all members of a household, whose values are drawn in turn. */
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
  const person = { ...own, familyName, addresses, demographics: { ...demographics, street: home.street } };
  return number % householdSize === 0 ? { ...person, ...rareOf(person, own) } : person;
}

/** Elements of a Patient that few people have and suites look for: a suffix, a name before a marriage, a tribe. */
function rareOf({ gender, demographics: { race } }: SyntheticPerson, born: { readonly familyName: string }) {
  return {
    ...(gender === 'male'
      ? { suffix: 'Jr.' }
      : { formerName: { family: born.familyName, until: '2012-06-16' } }),
    ...(race.code === nativeRace && { tribe: { code: '91', text: 'Fort Mojave Indian Tribe' } }),
  };
}

/** CDC Race and Ethnicity: American Indian or Alaska Native. */
const nativeRace = '1002-5';

interface Story {
  readonly traits: Traits;
  readonly periods: readonly EnrolmentPeriod[];
  readonly treatments: readonly DatedTreatment[];
  readonly words: readonly string[];
}

/** One in so many members of a Medicare plan has died, on this day. */
const deadEvery = 30;
const diedOn = '2026-06-11';

/** A course of treatment ends with the member's death; coverage and care end too. */
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

/** Whether the LOB's plans cover families with children: Medicare's cover nobody below 65. */
function hasChildren(lob: LineOfBusiness): boolean {
  return lob === 'CHPDC' || lob === 'CHPMD' || lob === 'MHBE';
}

const firstYear = 2018;
const lastYear = Number(lastMonth.slice(0, 4));
/** Interval of members who are ill for years. */
const chronicEvery = 5;
/** Interval, among those, of members with hundreds of claims and every kind of care. */
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

/** A course of treatment takes a month at most, so before a gap the following month must be covered too. */
function isCovered(month: string, periods: readonly EnrolmentPeriod[]): boolean {
  return periods.some(
    ({ start, end = '9999-12-31' }) => start <= `${month}-01` && `${monthAfter(month, 2)}-01` <= end,
  );
}

/** Illnesses and accidents of anybody, as often as they may happen in these years: a joint is replaced once. */
const mishaps = [
  ...['bronchitis', 'filling', 'soreMouth', 'ankle', 'bronchitis', 'filling'],
  ...['pneumonia', 'colon', 'knee', 'straightening', 'bridge'],
] as const satisfies readonly TreatmentName[];
const exceptions: readonly [DatedTreatment['exception'], ...DatedTreatment['exception'][]] = [
  undefined,
  ...[undefined, undefined, undefined, undefined],
  ...(['twice', 'corrected', 'outside'] as const),
];

/** A check-up each autumn and the dentist each spring; now and then something more, of which `withAll` has each once. */
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

/** Years of birth of children, whose first check-ups the plan paid for. */
const childBirthYears = [2017, 2017] as const;

/** A child's life: check-ups from birth, and what children have. */
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
