/** Generates the synthetic members of both environments, always the same ones. */

import type { Environment } from '../../lambdas/catalog/environments.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import type { MemberLoad } from '../../lambdas/loads/ingest/ingest-contract.ts';
import { historyOf } from './claims/claim-histories.ts';
import { coveredBySpouse, memberClaims } from './member-claims.ts';
import { monthOf } from './record/dates.ts';
import {
  type Demographics,
  ethnicities,
  fhirDate,
  openEnd,
  patientResource,
  preferredLanguages,
  races,
  type SyntheticPerson,
} from './record/patient.ts';
import {
  areaCodes,
  birthYears,
  familyNames,
  givenNames,
  type Place,
  passwordWords,
  places,
} from './record/people.ts';
import { type PseudoRandom, pseudoRandom } from './record/pseudo-random.ts';
import { contentVersion } from './record/resource.ts';

/** A synthetic member with a password, which is a public test credential. */
export type SyntheticMember = MemberLoad & { readonly password: string };

/** Characteristics of the test members, chosen so that every shape of a Patient occurs. */
export interface Traits {
  readonly birthDate: 'whole' | 'year only' | 'year and month';
  readonly addresses: 'closed and open' | 'open';
  readonly enrolments: 1 | 2;
}

const whole: Traits = { birthDate: 'whole', addresses: 'closed and open', enrolments: 1 };
const yearOnly: Traits = { birthDate: 'year only', addresses: 'open', enrolments: 2 };
const yearAndMonth: Traits = { birthDate: 'year and month', addresses: 'closed and open', enrolments: 2 };

/** Two members for each LOB in the sandbox (docs/service.md S1.6), three in the local production. */
const membersOf: Readonly<Record<Environment, readonly Traits[]>> = {
  sandbox: [whole, yearOnly],
  production: [whole, yearOnly, yearAndMonth],
};

/** Cache of the members by environment and month, since generating 400 claims takes some time. */
const made = new Map<string, readonly SyntheticMember[]>();

/**
 * The environment's synthetic members, the same on every machine and each time.
 *
 * @param month first day of the month that prior authorizations are relative to.
 * @default this month
 */
export function syntheticMembers(
  environment: Environment,
  month = monthOf(new Date()),
): readonly SyntheticMember[] {
  const name = `${environment} ${month}`;
  const present = made.get(name) ?? makeMembers(environment, month);
  made.set(name, present);
  return present;
}

function makeMembers(environment: Environment, month: string): readonly SyntheticMember[] {
  return lineOfBusinessCodes.flatMap((lob, lobIndex) =>
    membersOf[environment].map((traits, index) =>
      syntheticMember({ environment, month }, lob, lobIndex, index, traits),
    ),
  );
}

/**
 * Describes what a LOB's test member is for.
 *
 * @param index of the member, 0 or 1
 */
export function aboutMember(lob: LineOfBusiness, index: number): string {
  return about(lob, index, membersOf.sandbox[index] ?? whole);
}

const birthDates: Readonly<Record<Traits['birthDate'], string>> = {
  whole: 'whole birth date',
  'year only': 'unknown birth month and day',
  'year and month': 'unknown day of birth',
};

function about(lob: LineOfBusiness, index: number, traits: Traits): string {
  const { birthDate: known, addresses: kind, enrolments } = traits;
  const lived = kind === 'open' ? 'one address' : 'a former and a current address';
  const enrolled = enrolments === 1 ? 'one enrollment' : 'two enrollments';
  const policy = coveredBySpouse(lob, index) ? '; covered by a spouse’s policy' : '';
  return `${historyOf(lob, index).about}; ${birthDates[known]}; ${lived}; ${enrolled}${policy}`;
}

function syntheticMember(
  { environment, month }: { readonly environment: Environment; readonly month: string },
  lob: LineOfBusiness,
  lobIndex: number,
  index: number,
  traits: Traits,
): SyntheticMember {
  const random = pseudoRandom(`member-data-api/1/${environment}/${lob}/${index}`);
  const known = syntheticPerson(random, lob, traits);
  const email = `${known.givenNames[0]}.${known.familyName}.${lob}${index + 1}@example.com`.toLowerCase();
  const areaCode = areaCodes[known.addresses.at(-1)?.place.state ?? 'DC'];
  const line = String(100 + lobIndex * 10 + index);
  const person: SyntheticPerson = {
    ...known,
    demographics: demographicsOf(
      pseudoRandom(`member-data-api/1/${environment}/${lob}/${index}/demographics`),
      index,
      { phone: `+1-${areaCode}-555-0${line}`, email },
    ),
  };
  return {
    lob,
    patientId: person.patientId,
    memberId: person.memberId,
    email,
    phoneNumber: `+1${areaCode}5550${line}`,
    givenName: person.givenNames[0] ?? '',
    familyName: person.familyName,
    password: syntheticPassword(random),
    resources: [
      patientLoad(person),
      ...memberClaims(`member-data-api/1/${environment}`, person, index, month),
    ],
  };
}

/** Demographics of a member. The first member of a LOB has a race; not all others do. */
export function demographicsOf(
  random: PseudoRandom,
  index: number,
  contact: Pick<Demographics, 'phone' | 'email'>,
): Demographics {
  const [first, second, third, fourth] = races;
  return {
    ...contact,
    street: `${random.integer(10, 990)} ${random.pick(['Sample', 'Pattern', 'Mockup', 'Outline'])} Court`,
    uniqueMemberId: `U${random.digits(9)}`,
    race: index === 0 ? random.pick([first, second, third, fourth]) : random.pick(races),
    ethnicity: random.pick(ethnicities),
    language: index === 0 ? preferredLanguages[0] : random.pick(preferredLanguages),
  };
}

/** A person without demographics, generated from a seed. */
export function syntheticPerson(
  random: PseudoRandom,
  lob: LineOfBusiness,
  traits: Traits,
  bornIn = birthYears[lob],
): Omit<SyntheticPerson, 'demographics'> {
  const gender = random.pick(['female', 'male'] as const);
  const [first, ...rest] = places[lob];
  const place = (): Place => (first === undefined ? unplaced() : random.pick([first, ...rest]));
  return {
    lob,
    patientId: random.uuid(),
    versionId: String(random.integer(1, 9) + contentVersion),
    lastUpdated: instant(random),
    rowId: random.digits(9),
    sourceId: `SRC-${random.digits(2)}`,
    memberId: `${lob}${random.digits(8)}`,
    enrolments: Array.from({ length: traits.enrolments }, () => ({
      group: `G${random.digits(6)}`,
      plan: `${lob}-${random.digits(3)}`,
    })),
    familyName: random.pick(familyNames),
    givenNames: [random.pick(givenNames[gender]), random.pick(['A.', 'J.', 'M.', 'R.', 'T.'])],
    gender,
    birthDate: birthDate(random, bornIn, traits.birthDate),
    addresses: addresses(random, place, traits.addresses),
  };
}

function unplaced(): never {
  throw new Error('a line of business without places');
}

function addresses(
  random: PseudoRandom,
  place: () => Place,
  kind: Traits['addresses'],
): SyntheticPerson['addresses'] {
  const year = random.integer(2017, 2023);
  const present = { place: place(), start: `${year}-07-01`, end: openEnd };
  if (kind === 'open') return [present];
  return [{ place: place(), start: `${year - 3}-04-01`, end: `${year}-06-30` }, present];
}

function birthDate(
  random: PseudoRandom,
  [least, most]: readonly [number, number],
  known: Traits['birthDate'],
): string {
  const year = random.integer(least, most);
  const month = known === 'year only' ? 0 : random.integer(1, 12);
  const day = known === 'whole' ? random.integer(1, 28) : 0;
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** A random time in early 2026, in Eastern Standard Time as the plan's systems write it. */
function instant(random: PseudoRandom): string {
  const date = `2026-${twoDigits(random.integer(1, 2))}-${twoDigits(random.integer(1, 28))}`;
  const time = [random.integer(0, 23), random.integer(0, 59), random.integer(0, 59)].map(twoDigits).join(':');
  return `${date}T${time}.${random.digits(3)}-05:00`;
}

/** The Patient in the format of a load, in both renditions if they differ. */
export function patientLoad(person: SyntheticPerson): MemberLoad['resources'][number] {
  const { patientId: id, versionId, lastUpdated } = person;
  const valid = fhirDate(person.birthDate);
  return {
    resourceType: 'Patient',
    id,
    versionId,
    lastUpdated,
    json: JSON.stringify(patientResource(person)),
    ...(valid === person.birthDate ? {} : { fhirJson: JSON.stringify(patientResource(person, valid)) }),
  };
}

/** A password of three words and a number: at least 15 characters, with every kind of character that a policy may require. */
export function syntheticPassword(random: PseudoRandom): string {
  const [first, second, third] = [0, 1, 2].map(() => random.pick(passwordWords));
  return `${capitalized(first ?? '')}-${second}-${third}-${random.digits(4)}`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
