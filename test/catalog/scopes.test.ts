import { describe, expect, it } from 'vitest';
import {
  allowsRead,
  allowsSearch,
  formatDataScope,
  parseDataScope,
  resourceTypes,
} from '../../lambdas/catalog/scopes.ts';

describe('a data scope', () => {
  it.each([
    ['patient/*.read', 'patient/*.read'],
    ['patient/Patient.*', 'patient/Patient.read'],
    ['patient/Patient.cruds', 'patient/Patient.rs'],
    ['patient/Patient.cr', 'patient/Patient.r'],
    ['patient/ExplanationOfBenefit.rs', 'patient/ExplanationOfBenefit.rs'],
    ['user/*.read', 'user/*.read'],
    ['user/Patient.cruds', 'user/Patient.rs'],
  ])('%s can be granted as %s', (text, granted) => {
    const scope = parseDataScope(text);
    expect(scope && formatDataScope(scope)).toBe(granted);
  });

  it.each([
    'patient/*.write',
    'patient/*.c',
    'patient/*.',
    'patient/Patient.rs?a=b',
    'user/*.write',
    'system/*.read',
    'patient/*.READ',
  ])('%s can’t', (text) => {
    expect(parseDataScope(text)).toBeUndefined();
  });
});

describe('reading and searching', () => {
  it.each([
    ['patient/Coverage.r', true, false],
    ['patient/Coverage.s', false, true],
    ['patient/Coverage.rs', true, true],
    ['patient/Coverage.read', true, true],
    ['patient/*.r', true, false],
    ['patient/*.s', false, true],
    ['patient/Coverage.r patient/Coverage.s', true, true],
    ['patient/Coverage.r patient/ExplanationOfBenefit.s', true, false],
    ['user/Coverage.rs', true, true],
    ['user/*.r', true, false],
    ['patient/Coverage.rs?status=active', false, false],
  ])('%s lets read: %s, search: %s', (scope, reads, searches) => {
    expect([allowsRead(scope, 'Coverage'), allowsSearch(scope, 'Coverage')]).toEqual([reads, searches]);
  });
});

describe('reading a Patient', () => {
  it.each([
    'patient/*.read',
    'patient/Patient.read',
    'openid patient/Patient.r',
    'patient/*.rs',
  ])('is allowed by %s', (scope) => {
    expect(allowsRead(scope, 'Patient')).toBe(true);
  });

  it.each([
    '',
    'openid',
    'patient/Patient.s',
    'patient/Coverage.read',
    'patient/Patient.write',
    'patient/Patients.read',
  ])('is not allowed by %j', (scope) => {
    expect(allowsRead(scope, 'Patient')).toBe(false);
  });

  it('is what Patient Access serves, and the directory serves nobody’s data', () => {
    expect(resourceTypes(['patient-access'])).toEqual([
      'Patient',
      'Coverage',
      'ExplanationOfBenefit',
      'Organization',
      'Practitioner',
      'RelatedPerson',
    ]);
    expect(resourceTypes(['provider-directory'])).toEqual([]);
  });
});
