/** Table of the sandbox members that other payers test with, and of requests that show each outcome of a match. */

import type { LineOfBusiness } from '../lines-of-business.ts';

/** A member of the cohort. Every line of business has all of them; the member identifier is the LOB's code and the number. */
interface CohortMember {
  readonly given: string;
  readonly family: string;
  readonly gender: 'female' | 'male';
  readonly birthDate: string;
  /** Digits of the member identifier. */
  readonly number: string;
}

const duplicate = {
  given: 'Dexter',
  family: 'Partnerfield',
  gender: 'male',
  birthDate: '1952-06-30',
} as const;

export const cohortMembers = {
  matched: {
    given: 'Mara',
    family: 'Partnerfield',
    gender: 'female',
    birthDate: '1951-03-14',
    number: '90000001',
  },
  sensitive: {
    given: 'Silas',
    family: 'Partnerfield',
    gender: 'male',
    birthDate: '1949-08-02',
    number: '90000002',
  },
  constrained: {
    given: 'Corinne',
    family: 'Partnerfield',
    gender: 'female',
    birthDate: '1950-11-23',
    number: '90000003',
  },
  // Two records of one person, which the rules can't tell apart.
  firstRecord: { ...duplicate, number: '90000004' },
  secondRecord: { ...duplicate, number: '90000005' },
} as const satisfies Readonly<Record<string, CohortMember>>;

export type CohortMemberName = keyof typeof cohortMembers;
export const cohortMemberNames = Object.keys(cohortMembers) as readonly CohortMemberName[];

/** Digits of a member identifier that nobody has. */
const nobodysNumber = '90000009';

/** The plan's identifier of a cohort member. */
export function cohortMemberId(lob: LineOfBusiness, { number }: Pick<CohortMember, 'number'>): string {
  return `${lob}${number}`;
}

export interface CohortCase {
  readonly member: CohortMemberName;
  /** Purpose of the request in a test. */
  readonly about: string;
  /** Outcome, which is the group of a bulk match. `$member-match` answers 200 for `match`, and 422 for the others. */
  readonly outcome: 'match' | 'nomatch' | 'consentconstraint';
  readonly policy?: 'regular' | 'sensitive';
  /**
   * Digits of the submitted identifiers.
   *
   * @default the member's own
   */
  readonly numbers?: readonly string[];
  readonly birthDate?: string;
  /** Fault of the submitted Consent. */
  readonly consent?: 'expired' | 'other-recipient' | 'other-patient';
}

/** Test requests and their outcomes. */
export const cohortCases = {
  match: { member: 'matched', outcome: 'match', about: 'A member who matches' },
  unknown: {
    member: 'matched',
    outcome: 'nomatch',
    numbers: [nobodysNumber],
    about: 'A member identifier that nobody has',
  },
  different: {
    member: 'matched',
    outcome: 'nomatch',
    birthDate: '1951-03-15',
    about: 'The right identifier with another birth date',
  },
  twice: {
    member: 'firstRecord',
    outcome: 'nomatch',
    numbers: [cohortMembers.firstRecord.number, cohortMembers.secondRecord.number],
    about: 'Identifiers of two records that the rules cannot tell apart',
  },
  expired: {
    member: 'constrained',
    outcome: 'consentconstraint',
    consent: 'expired',
    about: 'A consent whose period has ended',
  },
  'other-recipient': {
    member: 'constrained',
    outcome: 'consentconstraint',
    consent: 'other-recipient',
    about: 'A consent for another organization',
  },
  'other-patient': {
    member: 'constrained',
    outcome: 'consentconstraint',
    consent: 'other-patient',
    about: 'A consent of another member',
  },
  regular: {
    member: 'sensitive',
    outcome: 'match',
    about: 'A consent without sensitive data: the member’s labeled conditions are withheld',
  },
  sensitive: {
    member: 'sensitive',
    outcome: 'match',
    policy: 'sensitive',
    about: 'A consent with sensitive data: the labeled conditions are released',
  },
} as const satisfies Readonly<Record<string, CohortCase>>;

export type CohortCaseName = keyof typeof cohortCases;
export const cohortCaseNames = Object.keys(cohortCases) as readonly CohortCaseName[];

/** A case of the table, as the general type `CohortCase`. */
export function cohortCase(name: CohortCaseName): CohortCase {
  return cohortCases[name];
}
