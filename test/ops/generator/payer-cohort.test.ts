import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import {
  type CohortCase,
  cohortCase,
  cohortCaseNames,
  cohortMemberNames,
  cohortMembers,
} from '../../../lambdas/catalog/payer/payer-cohort.ts';
import { cohortParameters } from '../../../lambdas/catalog/payer/payer-cohort-requests.ts';
import { ownLabel } from '../../../lambdas/fhir/labels/resource-label.ts';
import { memberLoad } from '../../../lambdas/loads/ingest/ingest-contract.ts';
import {
  comparedPerson,
  isSameMember,
  submittedMember,
} from '../../../lambdas/payer-access/match/compared-person.ts';
import { readMatchParts } from '../../../lambdas/payer-access/match/match-request.ts';
import { judgeConsent } from '../../../lambdas/payer-access/permission/judge-consent.ts';
import { withholdingRule } from '../../../lambdas/payer-access/release/withholding-rule.ts';
import { payerCohort } from '../../../ops/generator/payer-cohort.ts';
import { repositoryRoot } from '../../architecture/imports.ts';

/** Judges the payers' cohort by the rules of a match and a release themselves. */

const month = '2026-11-01';
const now = Date.parse('2026-11-23T10:00:00Z');
const organization = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }] as const;
const lob = 'DSNP';
const cohort = payerCohort(month);
const patientsOf = (numbers: readonly string[]) =>
  cohort
    .filter((member) => member.lob === lob && numbers.includes(member.memberId))
    .map(({ resources }) =>
      JSON.parse(resources.find(({ resourceType }) => resourceType === 'Patient')?.json ?? '{}'),
    );

/** The outcome of a case by the rules of a match. */
function outcomeOf(given: CohortCase): CohortCase['outcome'] {
  const reading = readMatchParts(cohortParameters(given, lob, organization[0]));
  if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.issues));
  const { memberPatient, coverageToMatch, consent } = reading.request;
  const submitted = submittedMember(memberPatient, coverageToMatch);
  const same = patientsOf(submitted.identifiers).filter((patient) =>
    isSameMember(submitted, comparedPerson(patient)),
  );
  if (same.length !== 1) return 'nomatch';
  const memberPatientId = (memberPatient as { readonly id: string }).id;
  return judgeConsent(consent, { memberPatientId, organization, now }).kind === 'honored'
    ? 'match'
    : 'consentconstraint';
}

describe('the payers’ cohort', () => {
  it('has each member in each line of business, without a password', () => {
    expect(cohort).toHaveLength(lineOfBusinessCodes.length * cohortMemberNames.length);
    for (const name of ['patientId', 'memberId', 'email'] as const) {
      expect(new Set(cohort.map((member) => member[name])).size).toBe(cohort.length);
    }
    for (const member of cohort) {
      expect(memberLoad.parse(member)).toEqual(member);
      expect(member.password).toBeUndefined();
    }
    expect(payerCohort(month)).toEqual(cohort);
  });

  it.each(cohortCaseNames)('has the documented outcome: %s', (name) => {
    expect(outcomeOf(cohortCase(name))).toBe(cohortCase(name).outcome);
  });

  it('stands in docs/synthetic-members.md with names, birth dates and identifiers', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/synthetic-members.md'), 'utf8');
    for (const name of cohortMemberNames) {
      const { given, family, birthDate, number } = cohortMembers[name];
      expect(page).toContain(`| ${given} ${family} | ${birthDate} | ${lob}${number} |`);
    }
  });

  it('has two records of one person, of which each is found by its own identifier', () => {
    const both = cohortCase('twice');
    for (const number of both.numbers ?? []) expect(outcomeOf({ ...both, numbers: [number] })).toBe('match');
  });

  it('has a member whose conditions need a consent with sensitive data', () => {
    const { policy: withData } = cohortCase('sensitive');
    const conditions = cohort
      .filter(({ memberId }) => memberId === `${lob}90000002`)
      .flatMap(({ resources }) => resources.filter(({ resourceType }) => resourceType === 'Condition'));
    expect(conditions.length).toBeGreaterThan(0);
    for (const { json } of conditions) {
      const resource = JSON.parse(json);
      const labeled = { resource, label: ownLabel(resource) };
      expect(withholdingRule(labeled, { policy: 'regular', now })?.name).toBe('sensitive');
      expect(withholdingRule(labeled, { policy: withData ?? 'regular', now })).toBeUndefined();
    }
  });
});
