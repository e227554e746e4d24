import { describe, expect, it } from 'vitest';
import { memberMatchLimits, memberMatchRules } from '../../../lambdas/catalog/payer/member-match-rules.ts';
import { issuesInAnswer, readMatchRequest } from '../../../lambdas/fhir/payer/match-request.ts';
import { comparedPerson, isSameMember, submittedMember } from '../../../lambdas/fhir/payer/match-rules.ts';
import { consent, coverage, parametersOf, patient } from './match-samples.ts';

const onFile = comparedPerson(patient);
const matches = (change: object) => isSameMember(comparedPerson({ ...patient, ...change }), onFile);

describe('the rules of member matching', () => {
  it('match a member by equal birth date and names, without case, accents and punctuation', () => {
    expect(matches({})).toBe(true);
    expect(matches({ name: [{ family: ' PÉRSON ', given: ['patricia'] }] })).toBe(true);
    expect(matches({ name: [{ family: 'Else', given: ['Pat'] }, ...patient.name] })).toBe(true);
    expect(matches({ gender: undefined })).toBe(true);
    expect(matches({ gender: 'unknown' })).toBe(true);
  });

  it('match nobody of whom one required element differs or is missing', () => {
    for (const change of [
      { birthDate: '1974-12-26' },
      { birthDate: undefined },
      { name: [{ family: 'Persons', given: ['Patricia'] }] },
      { name: [{ given: ['Patricia'] }] },
      { name: [{ family: 'Person', given: ['Ann'] }] },
      { name: [{ family: 'Person' }] },
      { name: undefined },
      { gender: 'male' },
    ]) {
      expect(matches(change)).toBe(false);
    }
    expect(memberMatchRules.filter(({ needs }) => needs === 'equal')).toHaveLength(3);
  });

  it('match nobody by a birth date that is known in part', () => {
    for (const birthDate of ['1974', '1974-12', '1974-00-00', '1974-12-00']) {
      const partly = comparedPerson({ ...patient, birthDate });
      expect(isSameMember(partly, partly)).toBe(false);
    }
  });

  it('look up the first five identifiers of patient and coverage, each once, and no text that is none', () => {
    const many = Array.from({ length: 9 }, (_, at) => ({ value: `ID${at}` }));
    const { identifiers } = submittedMember(
      { identifier: [{ value: ' A1 ' }, { value: 'A1' }, { value: 'a b' }, { value: 7 }, ...many] },
      { ...coverage, subscriberId: 'S1' },
    );
    expect(identifiers).toEqual(['S1', 'A1', 'ID0', 'ID1', 'ID2']);
    expect(submittedMember(undefined, null).identifiers).toEqual([]);
  });
});

describe('the Parameters of a match request', () => {
  const parts = {
    MemberPatient: patient,
    Consent: consent,
    CoverageToMatch: coverage,
    CoverageToLink: coverage,
  };

  it('are read with and without the coverage to link', () => {
    expect(readMatchRequest(parametersOf(parts))).toMatchObject({
      kind: 'request',
      request: { memberPatient: patient, coverageToMatch: coverage, consent },
    });
    const { CoverageToLink: _, ...required } = parts;
    expect(readMatchRequest(parametersOf(required)).kind).toBe('request');
  });

  it('are refused with an issue for each fault', () => {
    const { Consent: _, ...without } = parts;
    const other = JSON.parse(parametersOf(parts));
    const twice = JSON.stringify({ ...other, parameter: [...other.parameter, ...other.parameter] });
    const issues = (text: string) => {
      const reading = readMatchRequest(text);
      return reading.kind === 'invalid' ? reading.issues.map(({ diagnostics }) => diagnostics) : [];
    };
    expect(issues(parametersOf(without))).toEqual(['The parameter Consent is missing.']);
    expect(issues(parametersOf({ ...parts, CoverageToMatch: patient }))).toEqual([
      'The resource of CoverageToMatch is not a Coverage.',
    ]);
    expect(issues(parametersOf({ ...parts, More: patient }))).toEqual([
      'The operation has no parameter ‘More’.',
    ]);
    expect(issues(twice)).toHaveLength(4);
    const large = { ...consent, sourceAttachment: { data: 'A'.repeat(memberMatchLimits.consentBytes) } };
    expect(issues(parametersOf({ ...parts, Consent: large }))).toEqual([
      'The Consent has more than 256000 bytes. Send it without the attached form.',
    ]);
    const many = Array.from({ length: 5_000 }, (_, at) => ({ name: `more-${at}` }));
    expect(issues(JSON.stringify({ ...other, parameter: many }))).toHaveLength(issuesInAnswer);
    const deep = `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`;
    for (const text of [
      '',
      '[]',
      'null',
      '{',
      JSON.stringify(patient),
      deep,
      '{"resourceType":"Parameters","resourceType":"Parameters"}',
    ]) {
      expect(issues(text)).toEqual(['The body is not a Parameters resource.']);
    }
  });
});
