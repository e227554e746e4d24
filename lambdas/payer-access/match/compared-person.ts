/** Compares a member submitted by another payer with a member on file (HRex 1.0.0, "Member Matching Logic"). */

import { type ComparedElement, memberMatchRules } from '../../catalog/payer/member-match-rules.ts';
import { dateRange } from '../../fhir/values/date-range.ts';
import { fold } from '../../fhir/values/fold.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';

/** The known parts of a birth date; the day is known only if the month is. */
export type BirthDate = readonly [year: string, month?: string, day?: string];

/** The family name and the first given name of one HumanName, normalized. */
export interface ComparedName {
  readonly family: string;
  readonly given: string;
}

/** Elements of a person that the rules compare. */
export interface ComparedPerson {
  readonly birthDate: BirthDate | undefined;
  /** Names with both a family name and a given name. */
  readonly names: readonly ComparedName[];
  readonly gender: string | undefined;
  /** First five digits of each address's postal code. */
  readonly postalCodes: readonly string[];
}

/** A member, as another payer submits it. */
export interface SubmittedMember extends ComparedPerson {
  /** Distinct identifiers that may be a member identifier of this plan. */
  readonly identifiers: readonly string[];
}

interface Comparison {
  readonly isEqual: (submitted: ComparedPerson, onFile: ComparedPerson) => boolean;
  readonly isKnown: (person: ComparedPerson) => boolean;
}

/** The comparison of each element in the table of matching rules. */
const comparisons: Readonly<Record<ComparedElement, Comparison>> = {
  'Patient.birthDate': {
    // All parts that are on file must be submitted, so that a payer can't find out a birth date part by part.
    isEqual: ({ birthDate: submitted = [] }, { birthDate: onFile = [] }) =>
      onFile.every((part, at) => submitted[at] === part),
    isKnown: ({ birthDate }) => birthDate !== undefined,
  },
  'Patient.name': {
    isEqual: (submitted, onFile) =>
      submitted.names.some((name) =>
        onFile.names.some(({ family, given }) => family === name.family && given === name.given),
      ),
    isKnown: ({ names }) => names.length > 0,
  },
  'Patient.gender': {
    isEqual: (submitted, onFile) => submitted.gender === onFile.gender,
    isKnown: ({ gender }) => gender === 'female' || gender === 'male',
  },
  'Patient.address.postalCode': {
    isEqual: (submitted, onFile) => submitted.postalCodes.some((code) => onFile.postalCodes.includes(code)),
    isKnown: ({ postalCodes }) => postalCodes.length > 0,
  },
};

/** Whether a submitted member and a member on file satisfy every rule. */
export function isSameMember(submitted: ComparedPerson, onFile: ComparedPerson): boolean {
  const isPartial = (onFile.birthDate?.length ?? 0) < 3;
  return memberMatchRules.every(({ element, needs, needsWithPartialBirthDate }) => {
    const need = isPartial ? needsWithPartialBirthDate : needs;
    const { isEqual, isKnown }: Comparison = comparisons[element];
    if (need === 'any') return true;
    return isKnown(submitted) && isKnown(onFile) ? isEqual(submitted, onFile) : need === 'not different';
  });
}

/** Reads the compared elements from MemberPatient and CoverageToMatch. */
export function submittedMember(patient: unknown, coverage: unknown): SubmittedMember {
  const identifiers = [
    ...jsonEntries(jsonMember(patient, 'identifier')),
    ...jsonEntries(jsonMember(coverage, 'identifier')),
  ].map((identifier) => jsonMember(identifier, 'value'));
  const texts = [jsonMember(coverage, 'subscriberId'), ...identifiers]
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim())
    .filter((value) => /^[\x21-\x7e]{1,64}$/.test(value));
  return { ...comparedPerson(patient), identifiers: [...new Set(texts)] };
}

/** Reads the compared elements from a Patient. */
export function comparedPerson(patient: unknown): ComparedPerson {
  const gender = jsonMember(patient, 'gender');
  return {
    birthDate: birthDateOf(jsonMember(patient, 'birthDate')),
    names: jsonEntries(jsonMember(patient, 'name'))
      .map((name) => ({
        family: normalized(jsonMember(name, 'family')),
        given: normalized(jsonEntries(jsonMember(name, 'given'))[0]),
      }))
      .filter(({ family, given }) => family !== '' && given !== ''),
    gender: typeof gender === 'string' ? gender : undefined,
    postalCodes: jsonEntries(jsonMember(patient, 'address')).flatMap(
      (address) => /^\d{5}/.exec(String(jsonMember(address, 'postalCode')).trim()) ?? [],
    ),
  };
}

/** Parses a FHIR date, or a plan's date with unknown parts as `00`; undefined for any other text. */
function birthDateOf(text: unknown): BirthDate | undefined {
  if (typeof text !== 'string' || text.includes('T') || dateRange(text) === undefined) return undefined;
  const [year = '', month = '00', day = '00'] = text.split('-');
  if (month === '00') return [year];
  return day === '00' ? [year, month] : [year, month, day];
}

/** A name without case, accents, spaces and punctuation: `O’Neil-Ñandú` is `oneilnandu`. */
function normalized(name: unknown): string {
  return typeof name === 'string' ? fold(name).replace(/[^\p{L}\p{N}]/gu, '') : '';
}
