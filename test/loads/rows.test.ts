import { describe, expect, it } from 'vitest';
import { priorAuthorizationProfile } from '../../lambdas/kernel/prior-authorizations.ts';
import { rejectCodes } from '../../lambdas/loads/rejects.ts';
import { readRow } from '../../lambdas/loads/rows.ts';
import { changeParameters, claim, coverage, patient } from './drop-rows.ts';

const read = (row: unknown, type = (row as { resourceType: string }).resourceType) =>
  readRow({ kind: 'text', line: 7, text: typeof row === 'string' ? row : JSON.stringify(row) }, type, 'DSNP');

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
  const authorization = {
    ...claim('p1', 'a1'),
    use: 'preauthorization',
    type: { coding: [{ code: 'professional' }] },
    meta: { ...claim('p1', 'a1').meta, profile: [`${priorAuthorizationProfile}|2.2.0`] },
    item: [{ productOrService: { coding: [{ system: hcpcs, code: 'E0601' }] } }],
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
        item: [{ productOrService: { coding: [{ system: 'http://hl7.org/fhir/sid/ndc', code: '1' }] } }],
      },
      'ExplanationOfBenefit',
      'drug_prior_authorization',
      'item.productOrService',
    ],
    [
      'a drug in a detail of a prior authorization',
      {
        ...authorization,
        item: [{ detail: [{ productOrService: { coding: [{ system: hcpcs, code: 'J1885' }] } }] }],
      },
      'ExplanationOfBenefit',
      'drug_prior_authorization',
      'item.detail.productOrService',
    ],
    [
      'a pharmacy’s prior authorization',
      { ...authorization, type: { coding: [{ code: 'pharmacy' }] } },
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
    ['a code that is no text', { ...good, gender: ['female'] }, 'Patient', 'unknown_code', 'gender'],
    ['no name', { ...good, name: [] }, 'Patient', 'missing_element', 'name'],
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

  it.each([
    [{ withdraw: 'Coverage/c1' }],
    [{ 'source-patient': 'Patient/p1', 'target-patient': 'Patient/p1' }],
    [{ remove: 'Coverage/c1' }],
  ])('is no change with %j', (parameters) => {
    expect(codeOf(changeParameters(parameters as Record<string, string>))).toEqual([
      'unknown_change',
      'parameter',
    ]);
  });
});
