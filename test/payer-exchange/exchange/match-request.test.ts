import { describe, expect, it } from 'vitest';
import { submittedMember } from '../../../lambdas/payer-access/match/compared-person.ts';
import { memberFaults } from '../../../lambdas/payer-access/match/match-faults.ts';
import { readMatchParts } from '../../../lambdas/payer-access/match/match-request.ts';
import { judgeConsent } from '../../../lambdas/payer-access/permission/judge-consent.ts';
import { memberEntry } from '../../../lambdas/payer-exchange/exchange/match-request.ts';
import type {
  ExchangePermission,
  MemberExchange,
} from '../../../lambdas/payer-exchange/exchange/member-exchange.ts';
import type { OtherPayer } from '../../../lambdas/payer-exchange/payers/other-payer.ts';
import { jsonEntries, jsonMember } from '../../../lambdas/platform/kernel/json-members.ts';

const npi = 'http://hl7.org/fhir/sid/us-npi';
const now = Date.parse('2026-11-28T12:00:00Z');
const us = { name: 'Example Plan', identifier: { system: npi, value: '1234567893' } };
const payer: OtherPayer = {
  payerId: 'former',
  name: 'Former Plan',
  state: 'active',
  identifiers: [{ system: npi, value: '1245319599' }],
  fhirBase: 'https://former.example/fhir',
  tokenEndpoint: 'https://former.example/token',
  clientId: 'c',
  scopes: 'system/*.rs',
  version: '2.2',
  linesOfBusiness: ['DSNP'],
  revision: 1,
  source: 'operator',
  checks: [],
  changedAt: '2027-01-01T00:00:00Z',
};
const permission: ExchangePermission = {
  givenAt: '2026-11-27T09:00:00.000Z',
  by: { kind: 'member', id: 'sub-1' },
  policy: 'regular',
};
const exchange: MemberExchange = {
  lob: 'DSNP',
  patientId: 'p-1',
  exchangeId: '6f1c1d0e-0d4b-4d3a-9a3c-0a1b2c3d4e5f',
  state: 'payer-known',
  plan: { name: 'Former Plan', memberNumber: 'OLD-77', groupNumber: 'G5' },
  isConcurrent: false,
  permission,
  changedAt: '2026-11-27T09:00:00.000Z',
  version: 1,
};
const patient = {
  resourceType: 'Patient',
  id: 'p-1',
  meta: { versionId: '7' },
  identifier: [{ system: 'https://plan.example/member', value: 'M1001' }],
  name: [
    { use: 'old', family: 'Before', given: ['Mia'] },
    { use: 'official', family: 'Sampleton', given: ['Mia'], period: { start: '2010-01-01' } },
  ],
  telecom: [{ system: 'email', value: 'mia@example.org' }],
  gender: 'female',
  birthDate: '1985-04-02',
  address: [{ line: ['1 Main Street'], city: 'Washington', state: 'DC', postalCode: '20001' }],
};
const coverage = {
  resourceType: 'Coverage',
  id: 'c-1',
  status: 'active',
  subscriberId: 'M1001',
  beneficiary: { reference: 'Patient/p-1' },
  relationship: {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/subscriber-relationship', code: 'self' }],
  },
  payor: [{ reference: 'Organization/us' }],
};

/** The parts of an exchange's MemberBundle, as our own answering side reads them. */
function readBack(changes: Partial<MemberExchange> = {}, with_: unknown = coverage) {
  const entry = memberEntry({ ...exchange, ...changes }, patient, with_, us, payer, now);
  const reading = readMatchParts(jsonMember(entry, 'part'));
  if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.issues));
  return reading.request;
}

const judged = (changes: Partial<MemberExchange>, at = now) => {
  const { consent, memberPatient } = readBack(changes);
  return judgeConsent(consent, {
    memberPatientId: jsonMember(memberPatient, 'id'),
    organization: [us.identifier],
    now: at,
  });
};

describe('the MemberBundle of an exchange', () => {
  it('is accepted by the rules of the answering side, and finds the member by the number on the card', () => {
    const request = readBack();
    const submitted = submittedMember(request.memberPatient, request.coverageToMatch);
    expect(memberFaults(request, submitted)).toEqual([]);
    expect(submitted).toMatchObject({ identifiers: ['OLD-77'], gender: 'female', postalCodes: ['20001'] });
    expect(submitted.names).toEqual([{ family: 'sampleton', given: 'mia' }]);
  });

  it('tells the other payer no ID, number or contact of the member here that a match does not need', () => {
    const text = JSON.stringify(memberEntry(exchange, patient, undefined, us, payer, now));
    for (const own of ['p-1', 'M1001', 'mia@example.org', 'Before', 'sub-1']) expect(text).not.toContain(own);
  });

  it('links the coverage here by the plan’s identifier, without references that only lead somewhere here', () => {
    const entry = memberEntry(exchange, patient, coverage, us, payer, now);
    const link = jsonEntries(jsonMember(entry, 'part')).find(
      (part) => jsonMember(part, 'name') === 'CoverageToLink',
    );
    expect(jsonMember(link, 'resource')).toMatchObject({
      subscriberId: 'M1001',
      beneficiary: { reference: `Patient/${exchange.exchangeId}` },
      payor: [{ identifier: us.identifier }],
    });
  });
});

/** A period includes the last millisecond that it names. */
const endOf = (ms: number) => ms + 1;

describe('the Consent of an exchange', () => {
  it('permits what the member chose until the permission ends', () => {
    const until = '2026-12-24T00:00:00.000Z';
    for (const policy of ['regular', 'sensitive'] as const) {
      expect(judged({ permission: { ...permission, policy, until } })).toEqual({
        kind: 'honored',
        policy,
        until: endOf(Date.parse(until)),
      });
    }
  });

  it('ends in a quarter, however long the permission is', () => {
    const quarter = now + 90 * 24 * 3600 * 1000;
    for (const until of [undefined, '2030-01-01T00:00:00.000Z']) {
      const changes = { permission: { ...permission, until } };
      expect(judged(changes)).toMatchObject({ kind: 'honored', until: endOf(quarter) });
      expect(judged(changes, endOf(quarter))).toEqual({ kind: 'refused', rules: ['consent_period'] });
    }
  });

  it('names a representative as the performer, and the former plan as the one who discloses', () => {
    const { consent } = readBack({ permission: { ...permission, by: { kind: 'representative', id: 'R1' } } });
    expect(consent).toMatchObject({
      performer: [{ type: 'RelatedPerson' }],
      provision: { actor: [{ reference: { identifier: payer.identifiers[0] } }, {}] },
    });
    expect(JSON.stringify(consent)).not.toContain('R1');
  });

  it('is not made without a permission', () => {
    expect(() => readBack({ permission: undefined })).toThrow(TypeError);
  });
});
