import { describe, expect, it } from 'vitest';
import { memberMatchLimits, memberMatchRules } from '../../../lambdas/catalog/payer/member-match-rules.ts';
import {
  comparedPerson,
  isSameMember,
  submittedMember,
} from '../../../lambdas/payer-access/match/compared-person.ts';
import { memberFaults } from '../../../lambdas/payer-access/match/match-faults.ts';
import { issuesInAnswer, readMatchRequest } from '../../../lambdas/payer-access/match/match-request.ts';
import { consent, coverage, parametersOf, patient } from '../match-samples.ts';

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
    expect(memberMatchRules.filter(({ needs }) => needs === 'equal')).toHaveLength(2);
  });

  it('pair the family name and the given name of one HumanName', () => {
    const crossed = [
      { family: 'Person', given: ['Ann'] },
      { family: 'Else', given: ['Patricia'] },
    ];
    expect(matches({ name: crossed })).toBe(false);
    expect(matches({ name: [{ family: 'Person' }, { given: ['Patricia'] }] })).toBe(false);
    expect(matches({ name: [{ family: 'Person', given: ['Ann', 'Patricia'] }] })).toBe(false);
    const married = comparedPerson({
      ...patient,
      name: [...patient.name, { family: 'Wed', given: ['Pat'] }],
    });
    expect(
      isSameMember(comparedPerson({ ...patient, name: [{ family: 'Person', given: ['Pat'] }] }), married),
    ).toBe(false);
  });

  describe('of a member whose birth date is known in part', () => {
    const address = [{ postalCode: '20001' }, { postalCode: '21201-1234' }];
    const partly = (birthDate: string) => ({ ...patient, birthDate, address });
    const same = (submitted: object, onFile: object) =>
      isSameMember(comparedPerson(submitted), comparedPerson(onFile));
    const sent = { ...patient, address: [{ postalCode: '21201' }] };

    it('compare the known parts, and need gender and postal code', () => {
      for (const birthDate of ['1974', '1974-12', '1974-00-00', '1974-12-00', '1974-00-25']) {
        expect([birthDate, same(sent, partly(birthDate))]).toEqual([birthDate, true]);
        const { gender: _, ...withoutGender } = sent;
        for (const other of [
          { ...sent, birthDate: '1975-12-25' },
          { ...sent, address: [{ postalCode: '21202' }] },
          { ...sent, address: undefined },
          { ...sent, gender: 'male' },
          { ...sent, gender: 'unknown' },
          withoutGender,
        ]) {
          expect([birthDate, same(other, partly(birthDate))]).toEqual([birthDate, false]);
        }
      }
      expect(same(sent, partly('1974-11-00'))).toBe(false);
    });

    it('need each part on file, so that no date is found out part by part', () => {
      for (const [submitted, onFile] of [
        ['1974', '1974-12-25'],
        ['1974-12', '1974-12-25'],
        ['1974-12-00', '1974-12-25'],
        ['1974', '1974-12-00'],
        ['1974-00-00', '1974-12'],
      ] as const) {
        expect(same({ ...sent, birthDate: submitted }, partly(onFile))).toBe(false);
      }
      expect(same({ ...sent, birthDate: '1974' }, partly('1974-00-00'))).toBe(true);
    });

    it('need no address of a member whose birth date is whole', () => {
      expect(same(patient, partly('1974-12-25'))).toBe(true);
      expect(same({ ...sent, address: [{ postalCode: '99999' }] }, partly('1974-12-25'))).toBe(true);
    });
  });

  it('read the identifiers of patient and coverage, each once, and no text that is none', () => {
    const { identifiers } = submittedMember(
      { identifier: [{ value: ' A1 ' }, { value: 'A1' }, { value: 'a b' }, { value: 7 }, { value: 'B2' }] },
      { ...coverage, subscriberId: 'S1' },
    );
    expect(identifiers).toEqual(['S1', 'A1', 'B2', 'DH10001235']);
    expect(submittedMember(undefined, null).identifiers).toEqual([]);
  });
});

describe('the faults of a request’s member', () => {
  const request = { memberPatient: patient, coverageToMatch: coverage, consent };
  const faultsOf = (change: object, more: object = {}) => {
    const asked = { ...request, memberPatient: { ...patient, ...change }, ...more };
    return memberFaults(asked, submittedMember(asked.memberPatient, asked.coverageToMatch)).map(
      ({ diagnostics }) => diagnostics,
    );
  };
  const entries = (length: number) =>
    Array.from({ length }, (_, at) => ({ value: `ID${at}`, family: `F${at}`, given: ['G'] }));

  it('are none of one that can be compared', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ birthDate: '1974' })).toEqual([]);
    expect(faultsOf({ name: entries(memberMatchLimits.names) })).toEqual([]);
  });

  it('are each named with its element', () => {
    expect(faultsOf({ identifier: [] }, { coverageToMatch: {} })).toEqual([
      expect.stringMatching(/^There is no member identifier/),
    ]);
    expect(faultsOf({ identifier: entries(memberMatchLimits.identifiers) })).toEqual([
      expect.stringMatching(/^MemberPatient.identifier and CoverageToMatch.identifier has more than 5/),
    ]);
    for (const name of [
      undefined,
      {},
      [{ text: 'Patricia Person' }],
      [{ family: 'Person', given: 'Patricia' }],
    ]) {
      expect(faultsOf({ name })).toEqual([expect.stringMatching(/^MemberPatient.name has no family name/)]);
    }
    expect(faultsOf({ name: entries(memberMatchLimits.names + 1) })).toEqual([
      expect.stringMatching(/^MemberPatient.name has more than 5/),
    ]);
    for (const birthDate of [
      undefined,
      '12/25/1974',
      '1974-13-01',
      '1974-02-30',
      1974,
      '1974-12-25T00:00:00Z',
    ]) {
      expect(faultsOf({ birthDate })).toEqual([expect.stringMatching(/^MemberPatient.birthDate is missing/)]);
    }
    const many = entries(memberMatchLimits.entries + 1);
    expect(faultsOf({ telecom: many })).toEqual([
      expect.stringMatching(/^‘MemberPatient.telecom’ has more than 50/),
    ]);
    expect(faultsOf({ name: [{ family: 'P', given: many.map(() => 'G') }] })).toEqual([
      expect.stringMatching(/^‘MemberPatient.name.given’ has more than 50/),
    ]);
    expect(faultsOf({}, { consent: { ...consent, category: many } })).toEqual([
      expect.stringMatching(/^‘Consent.category’/),
    ]);
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
    // Nested too deep for JSON.stringify and for any recursive function.
    const nested = `{"resourceType":"Consent","extension":${'['.repeat(15_000)}${']'.repeat(15_000)}}`;
    const deepConsent = parametersOf({ ...parts, Consent: {} }).replace(
      '"resource":{}',
      `"resource":${nested}`,
    );
    expect(issues(deepConsent)).toEqual(['The resources of the member are nested deeper than 64 levels.']);
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
