import { describe, expect, it } from 'vitest';
import { rejectCodes } from '../../../lambdas/loads/ledger/rejects.ts';
import { readRow } from '../../../lambdas/loads/rows/rows.ts';
import { priorAuthorizationProfile } from '../../../lambdas/platform/kernel/prior-authorizations.ts';
import { changeParameters, claim, coverage, patient } from '../drop-rows.ts';

const read = (row: unknown, type = (row as { resourceType: string }).resourceType) =>
  readRow({ kind: 'text', line: 7, text: typeof row === 'string' ? row : JSON.stringify(row) }, type, {
    lob: 'DSNP',
    now: Date.parse('2026-11-24T00:00:00Z'),
  });

const claimType = (code: string) => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/claim-type', code }],
});

const codeOf = (...given: Parameters<typeof read>) => {
  const row = read(...given);
  return row.kind === 'reject' ? [row.reject.code, row.reject.element] : row.kind;
};

describe('a row of a drop', () => {
  it('is read as a resource of its member, with what it refers to', () => {
    expect(read(claim('p1', 'c1', { coverage: 'Coverage/cov1' }))).toMatchObject({
      kind: 'resource',
      line: 7,
      patientId: 'p1',
      resourceType: 'ExplanationOfBenefit',
      id: 'c1',
      references: [{ resourceType: 'Coverage', id: 'cov1', element: 'insurance.0.coverage.reference' }],
    });
    expect(read(patient('p1', 'M0000001'))).toMatchObject({ patientId: 'p1', memberId: 'M0000001' });
  });

  const good = patient('p1', 'M0000001');
  const hcpcs = 'https://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets';
  const { total: _total, payment: _payment, adjudication: _adjudication, ...request } = claim('p1', 'a1');
  const items = (coding: object, ofDetail?: object) =>
    request.item.map((item) => ({
      ...item,
      productOrService: { coding: [coding] },
      ...(ofDetail !== undefined && {
        detail: [{ sequence: 1, productOrService: { coding: [ofDetail] } }],
      }),
    }));
  const authorization = {
    ...request,
    use: 'preauthorization',
    type: claimType('professional'),
    meta: { ...claim('p1', 'a1').meta, profile: [`${priorAuthorizationProfile}|2.2.0`] },
    item: items({ system: hcpcs, code: 'E0601' }),
  };

  it('is read as a prior authorization by its profile, with or without a version', () => {
    expect(codeOf(authorization)).toBe('resource');
    const meta = { ...authorization.meta, profile: [priorAuthorizationProfile] };
    expect(codeOf({ ...authorization, meta })).toBe('resource');
  });

  it.each([
    ['no JSON', '{"resourceType":"Patient"', 'Patient', 'not_json', undefined],
    ['a list', '[]', 'Patient', 'not_json', undefined],
    ['NUL in a text', '{"resourceType":"Patient","id":"a\u0000"}', 'Patient', 'control_character', undefined],
    [
      'an escaped NUL',
      '{"resourceType":"Patient","id":"a\\u0000"}',
      'Patient',
      'control_character',
      undefined,
    ],
    ['a name twice', '{"resourceType":"Patient","id":"a","id":"b"}', 'Patient', 'duplicate_name', undefined],
    ['another type than its file', good, 'Coverage', 'other_type', 'resourceType'],
    ['no id', { ...good, id: 'a b' }, 'Patient', 'no_id', 'id'],
    [
      'no version',
      { ...good, meta: { ...good.meta, versionId: undefined } },
      'Patient',
      'no_version',
      'meta.versionId',
    ],
    [
      'no instant',
      { ...good, meta: { ...good.meta, lastUpdated: '2026-02-30T00:00:00Z' } },
      'Patient',
      'no_last_updated',
      'meta.lastUpdated',
    ],
    [
      'a prior authorization for a drug',
      {
        ...authorization,
        item: items({ system: 'http://hl7.org/fhir/sid/ndc', code: '1' }),
      },
      'ExplanationOfBenefit',
      'drug_prior_authorization',
      'item.productOrService',
    ],
    [
      'a drug in a detail of a prior authorization',
      {
        ...authorization,
        item: items({ system: hcpcs, code: 'E0601' }, { system: hcpcs, code: 'J1885' }),
      },
      'ExplanationOfBenefit',
      'drug_prior_authorization',
      'item.detail.productOrService',
    ],
    [
      'a pharmacy’s prior authorization',
      { ...authorization, type: claimType('pharmacy') },
      'ExplanationOfBenefit',
      'drug_prior_authorization',
      'type',
    ],
    [
      'a prior authorization of a claim’s profile',
      { ...authorization, meta: claim('p1', 'c1').meta },
      'ExplanationOfBenefit',
      'other_use',
      'use',
    ],
    [
      'a claim of the profile of prior authorizations',
      { ...authorization, use: 'claim' },
      'ExplanationOfBenefit',
      'other_use',
      'use',
    ],
    ['no profile', { ...good, meta: { ...good.meta, profile: [] } }, 'Patient', 'no_profile', 'meta.profile'],
    [
      'an unknown profile',
      { ...good, meta: { ...good.meta, profile: ['urn:x'] } },
      'Patient',
      'no_profile',
      'meta.profile',
    ],
    [
      'an unknown status',
      { ...coverage('p1', 'c1'), status: 'Active' },
      'Coverage',
      'unknown_code',
      'status',
    ],
    ['a code that is no text', { ...good, gender: ['female'] }, 'Patient', 'wrong_type', 'gender'],
    ['no name', { ...good, name: undefined }, 'Patient', 'missing_element', 'name'],
    [
      'no member identifier',
      { ...good, identifier: [{ system: 'urn:x', value: '1' }] },
      'Patient',
      'no_member_id',
      'identifier',
    ],
    ['another LOB', patient('p1', 'M0000001', { lob: 'MAPD' }), 'Patient', 'wrong_lob', 'identifier'],
    [
      'no patient',
      { ...coverage('p1', 'c1'), beneficiary: { display: 'Ada' } },
      'Coverage',
      'no_patient',
      'beneficiary.reference',
    ],
    [
      'another patient',
      { ...coverage('p1', 'c1'), subscriber: { reference: 'Patient/p2' } },
      'Coverage',
      'foreign_reference',
      'subscriber.reference',
    ],
    [
      'a reference of no served type',
      { ...coverage('p1', 'c1'), subscriber: { reference: 'Device2/p2' } },
      'Coverage',
      'unserved_reference',
      'subscriber.reference',
    ],
  ])('is rejected with %s', (_name, row, type, code, element) => {
    expect(codeOf(row, type)).toEqual([code, element]);
    expect(Object.keys(rejectCodes)).toContain(code);
  });

  it('is read as a withdrawal, a move or a merge', () => {
    expect(read(changeParameters({ withdraw: 'Coverage/c1', patient: 'Patient/p1' }))).toMatchObject({
      kind: 'withdrawal',
      patientId: 'p1',
      resource: { resourceType: 'Coverage', id: 'c1' },
    });
    expect(read(changeParameters({ move: 'Patient/p1', successor: 'Patient/q1' }, 'MAPD'))).toMatchObject({
      kind: 'move',
      patientId: 'p1',
      toLob: 'MAPD',
      toPatientId: 'q1',
    });
    expect(
      read(changeParameters({ 'source-patient': 'Patient/p1', 'target-patient': 'Patient/p2' })),
    ).toMatchObject({ kind: 'merge', patientId: 'p1', intoPatientId: 'p2' });
  });

  const twice = changeParameters({ withdraw: 'Coverage/c1', patient: 'Patient/p1' });
  it.each([
    ['another name', changeParameters({ remove: 'Coverage/c1' }), 'unknown_change', 'name'],
    ['no Patient', changeParameters({ withdraw: 'Coverage/c1' }), 'change_reference', 'patient'],
    ['no type', changeParameters({ withdraw: 'c1', patient: 'Patient/p1' }), 'change_reference', 'withdraw'],
    [
      'the same LOB',
      changeParameters({ move: 'Patient/p1' }, 'DSNP'),
      'change_line_of_business',
      'lineOfBusiness',
    ],
    [
      'one Patient',
      changeParameters({ 'source-patient': 'Patient/p1', 'target-patient': 'Patient/p1' }),
      'same_patient',
      'target-patient',
    ],
    [
      'a name twice',
      { ...twice, parameter: [...twice.parameter, ...twice.parameter] },
      'duplicate_parameter',
      undefined,
    ],
    ['a value that is no object', { ...twice, parameter: ['withdraw'] }, 'wrong_type', '0'],
  ])('is no change with %s', (_name, row, code, parameter) => {
    expect(codeOf(row)).toEqual([
      code,
      ['parameter', parameter].filter((each) => each !== undefined).join('.'),
    ]);
  });

  it('is not from the future', () => {
    const meta = (lastUpdated: string) => ({ ...good.meta, lastUpdated });
    expect(codeOf({ ...good, meta: meta('2026-11-24T00:09:00Z') })).toBe('resource');
    const future = ['future_last_updated', 'meta.lastUpdated'];
    expect(codeOf({ ...good, meta: meta('2026-11-24T00:11:00Z') })).toEqual(future);
    const change = changeParameters({ withdraw: 'Patient/p1' });
    expect(codeOf({ ...change, meta: meta('2031-01-01T00:00:00Z') })).toEqual(future);
  });
});
