/** Generates vital signs, from a table of what a check-up measures by age. */

import type { SyntheticPerson } from '../record/patient.ts';
import { type PseudoRandom, pseudoRandom } from '../record/pseudo-random.ts';
import { type ClinicalRecord, coded, codingOf, isSettled, quantity, type Visit } from './clinical-record.ts';
import { absent, observation } from './observation.ts';

/** A member's height and weight on a day. */
interface Body {
  readonly years: number;
  /** Kilograms. */
  readonly weight: number;
  /** Centimeters. */
  readonly height: number;
}

interface VitalSign {
  readonly profile: string;
  /** LOINC codes; the first is that of the measurement. */
  readonly codes: readonly [string, ...string[]];
  readonly text: string;
  readonly unit: string;
  /**
   * UCUM code of the unit.
   *
   * @default the unit
   */
  readonly ucum?: string;
  /**
   * Ages in years at which the vital sign is measured.
   *
   * @default any
   */
  readonly ages?: readonly [number, number];
  readonly value: (body: Body, random: PseudoRandom) => number;
}

const tenth = (value: number) => Math.round(value * 10) / 10;

/** US Core's vital signs, except blood pressure and weight. */
const vitalSigns: readonly VitalSign[] = [
  {
    ...{ profile: 'us-core-body-height', codes: ['8302-2'], text: 'Height', unit: 'cm' },
    value: ({ height }) => height,
  },
  {
    ...{ profile: 'us-core-bmi', codes: ['39156-5'], text: 'Body mass index', unit: 'kg/m2', ages: [2, 120] },
    value: ({ weight, height }) => tenth(weight / (height / 100) ** 2),
  },
  {
    ...{ profile: 'us-core-body-temperature', codes: ['8310-5'], text: 'Temperature', unit: 'Cel' },
    value: (_body, random) => random.integer(364, 371) / 10,
  },
  {
    ...{ profile: 'us-core-heart-rate', codes: ['8867-4'], text: 'Heart rate', unit: '/min' },
    value: ({ years }, random) => (years < 3 ? random.integer(98, 124) : random.integer(62, 84)),
  },
  {
    ...{ profile: 'us-core-respiratory-rate', codes: ['9279-1'], text: 'Respiratory rate', unit: '/min' },
    value: ({ years }, random) => (years < 3 ? random.integer(24, 32) : random.integer(13, 18)),
  },
  {
    ...{
      profile: 'us-core-pulse-oximetry',
      codes: ['59408-5', '2708-6'],
      text: 'Oxygen saturation',
      unit: '%',
    },
    value: (_body, random) => random.integer(95, 99),
  },
  {
    ...{ profile: 'us-core-head-circumference', codes: ['9843-4'], text: 'Head circumference', unit: 'cm' },
    ages: [0, 2],
    value: ({ years }) => 45 + 2 * Math.floor(years),
  },
  {
    ...{ profile: 'head-occipital-frontal-circumference-percentile', codes: ['8289-1'], unit: '%' },
    ...{ text: 'Head circumference, percentile', ages: [0, 2] },
    value: (_body, random) => random.integer(30, 70),
  },
  {
    ...{ profile: 'pediatric-weight-for-height', codes: ['77606-2'], text: 'Weight for length', unit: '%' },
    ages: [0, 2],
    value: (_body, random) => random.integer(30, 70),
  },
  {
    ...{ profile: 'pediatric-bmi-for-age', codes: ['59576-9'], unit: '%', ages: [2, 19] },
    text: 'Body mass index for age, percentile',
    value: (_body, random) => random.integer(30, 70),
  },
];

/** Number of check-ups after which the same vital sign is left out again; each check-up leaves out a different one. */
const unmeasuredEvery = 4;

/**
 * Blood pressure and weight of an office visit; at a check-up also the vital signs of the table.
 *
 * @param checkup number of the check-up, from 0
 */
export function vitalSignsOf(
  random: PseudoRandom,
  visit: Visit,
  checkup: number | undefined,
): readonly ClinicalRecord[] {
  const { service, person, start } = visit.claim;
  if (service.kind !== 'professional') return [];
  const body = bodyOf(person, start);
  const isMeasured = (at: number) => checkup === undefined || (at + checkup) % unmeasuredEvery > 0;
  const position = (measured: boolean) =>
    checkup === undefined
      ? []
      : [
          {
            code: coded('loinc', '8361-8', 'Position of the body'),
            ...(measured
              ? { valueCodeableConcept: coded('snomed', '33586001', 'Sitting') }
              : absent('not-performed')),
          },
        ];
  const vitalSign = (at: number, { profile, codes, text, unit, ucum, value }: VitalSign) => {
    const measured = isMeasured(at);
    const component = [...position(measured), ...(profile.endsWith('oximetry') ? oxygen(measured) : [])];
    return observation(random, visit, {
      profiles: ['us-core-vital-signs', profile],
      categories: ['vital-signs'],
      code: { coding: codes.map((code) => codingOf('loinc', code)), text },
      rest: {
        ...(measured
          ? { valueQuantity: quantity(value(body, random), unit, ucum) }
          : absent('not-performed')),
        ...(component.length > 0 && { component }),
      },
    });
  };
  const usual = [
    bloodPressure(random, visit, body, isMeasured(0), position(isMeasured(0))),
    vitalSign(1, {
      ...{ profile: 'us-core-body-weight', codes: ['29463-7'], text: 'Body weight', unit: 'kg' },
      value: ({ weight }) => weight,
    }),
  ];
  if (checkup === undefined) return usual;
  const atThisAge = vitalSigns.filter(
    ({ ages: [least, most] = [0, 120] }) => least <= body.years && body.years < most + 1,
  );
  return [...usual, ...atThisAge.map((each) => vitalSign(vitalSigns.indexOf(each) + 2, each))];
}

function bloodPressure(
  random: PseudoRandom,
  visit: Visit,
  { years }: Body,
  measured: boolean,
  position: readonly object[],
): ClinicalRecord {
  const ranges = isSettled(visit, 'I10')
    ? ([118, 134, 70, 84] as const)
    : (visit.onsets.get('I10') ?? '9999') <= visit.claim.start
      ? ([142, 158, 88, 96] as const)
      : years < 12
        ? ([88, 102, 52, 62] as const)
        : ([112, 128, 68, 82] as const);
  const [systolic, diastolic] = [random.integer(ranges[0], ranges[1]), random.integer(ranges[2], ranges[3])];
  const pressure = (code: string, text: string, value: number) => ({
    code: coded('loinc', code, text),
    ...(measured ? { valueQuantity: quantity(value, 'mmHg', 'mm[Hg]') } : absent('not-performed')),
  });
  return observation(random, visit, {
    profiles: ['us-core-vital-signs', 'us-core-blood-pressure'],
    categories: ['vital-signs'],
    code: coded('loinc', '85354-9', 'Blood pressure'),
    rest: {
      ...(position.length > 0 &&
        (measured ? { valueString: `${systolic}/${diastolic} mmHg` } : absent('not-performed'))),
      component: [
        pressure('8480-6', 'Systolic', systolic),
        pressure('8462-4', 'Diastolic', diastolic),
        ...position,
      ],
    },
  });
}

/** Components with the oxygen that a member breathes while saturation is measured. */
function oxygen(measured: boolean): readonly object[] {
  const component = (code: string, text: string, value: object) => ({
    code: coded('loinc', code, text),
    ...(measured ? { valueQuantity: value } : absent('not-performed')),
  });
  return [
    component('3151-8', 'Oxygen flow', quantity(0, 'L/min')),
    component('3150-0', 'Oxygen concentration', quantity(21, '%')),
  ];
}

/** Height and weight that fit the member's age, and agree from visit to visit. */
function bodyOf(person: SyntheticPerson, day: string): Body {
  const random = pseudoRandom(`${person.patientId}/body`);
  const years = yearsOld(person, day);
  if (years < 16) {
    const height = Math.round(years < 1 ? 52 + 24 * years : 70 + 6.2 * years);
    return { years, height, weight: tenth(years < 1 ? 3.6 + 6 * years : 7.6 + 2.3 * years) };
  }
  const height = random.integer(154, 186);
  const weight = (height / 100) ** 2 * (random.integer(200, 300) / 10);
  return { years, height, weight: tenth(weight + (Number(day.slice(5, 7)) % 5) / 2) };
}

/** Age in years, with a fraction; an unknown month or day of birth counts as the first. */
export function yearsOld({ birthDate }: SyntheticPerson, day: string): number {
  const born = birthDate.replaceAll('-00', '-01');
  return (Date.parse(day) - Date.parse(born)) / (365.25 * 86_400_000);
}
