/** Compares another payer's member with one member on file (HRex 1.0.0, "Member Matching Logic"). */

import {
  type ComparedElement,
  memberMatchLimits,
  memberMatchRules,
} from '../../catalog/payer/member-match-rules.ts';
import { jsonEntries, jsonMember } from '../../kernel/json-members.ts';
import { fold } from '../search/fold.ts';

/** Elements of a person that the rules compare. */
export interface ComparedPerson {
  /** FHIR date; of unknown parts as the plan writes them. */
  readonly birthDate: string | undefined;
  /** Normalized. */
  readonly familyNames: readonly string[];
  /** Normalized; the first given name of each name. */
  readonly givenNames: readonly string[];
  readonly gender: string | undefined;
}

/** A member as another payer submits them. */
export interface SubmittedMember extends ComparedPerson {
  /** Identifiers that may be a member identifier of this plan, without repetition. */
  readonly identifiers: readonly string[];
}

interface Comparison {
  readonly isEqual: (submitted: ComparedPerson, onFile: ComparedPerson) => boolean;
  readonly isKnown: (person: ComparedPerson) => boolean;
}

/** Comparisons of the elements of the table of rules. */
const comparisons: Readonly<Record<ComparedElement, Comparison>> = {
  'Patient.birthDate': {
    isEqual: (submitted, onFile) => submitted.birthDate === onFile.birthDate,
    isKnown: ({ birthDate }) => isWholeDate(birthDate),
  },
  'Patient.name.family': {
    isEqual: (submitted, onFile) => intersect(submitted.familyNames, onFile.familyNames),
    isKnown: ({ familyNames }) => familyNames.length > 0,
  },
  'Patient.name.given': {
    isEqual: (submitted, onFile) => intersect(submitted.givenNames, onFile.givenNames),
    isKnown: ({ givenNames }) => givenNames.length > 0,
  },
  'Patient.gender': {
    isEqual: (submitted, onFile) => submitted.gender === onFile.gender,
    isKnown: ({ gender }) => gender === 'female' || gender === 'male',
  },
};

/** Whether every rule holds between a submitted member and one on file. */
export function isSameMember(submitted: ComparedPerson, onFile: ComparedPerson): boolean {
  return memberMatchRules.every(({ element, needs }) => {
    const { isEqual, isKnown } = comparisons[element];
    return isKnown(submitted) && isKnown(onFile) ? isEqual(submitted, onFile) : needs === 'not different';
  });
}

/** Reads what is compared from MemberPatient and CoverageToMatch. */
export function submittedMember(patient: unknown, coverage: unknown): SubmittedMember {
  const identifiers = [
    ...jsonEntries(jsonMember(patient, 'identifier')),
    ...jsonEntries(jsonMember(coverage, 'identifier')),
  ].map((identifier) => jsonMember(identifier, 'value'));
  const texts = [jsonMember(coverage, 'subscriberId'), ...identifiers]
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim())
    .filter((value) => /^[\x21-\x7e]{1,64}$/.test(value));
  return {
    ...comparedPerson(patient),
    identifiers: [...new Set(texts)].slice(0, memberMatchLimits.identifiers),
  };
}

/** Reads what is compared from a Patient. */
export function comparedPerson(patient: unknown): ComparedPerson {
  const names = jsonEntries(jsonMember(patient, 'name'));
  const [birthDate, gender] = [jsonMember(patient, 'birthDate'), jsonMember(patient, 'gender')];
  return {
    birthDate: typeof birthDate === 'string' ? birthDate : undefined,
    familyNames: normalized(names.map((name) => jsonMember(name, 'family'))),
    givenNames: normalized(names.map((name) => jsonEntries(jsonMember(name, 'given'))[0])),
    gender: typeof gender === 'string' ? gender : undefined,
  };
}

/** Names without case, accents, spaces and punctuation: `O’Neil-Ñandú` is `oneilnandu`. */
function normalized(names: readonly unknown[]): readonly string[] {
  return names
    .filter((name) => typeof name === 'string')
    .map((name) => fold(name).replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((name) => name !== '');
}

function intersect(some: readonly string[], others: readonly string[]): boolean {
  return some.some((each) => others.includes(each));
}

/** A birth date whose month or day is unknown is many people's. */
function isWholeDate(date: string | undefined): boolean {
  return /^\d{4}-(?!00)\d\d-(?!00)\d\d$/.test(date ?? '');
}
