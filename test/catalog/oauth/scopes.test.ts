import { describe, expect, it } from 'vitest';
import { patientAccessTypes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import {
  allowedCategories,
  allowsRead,
  allowsSearch,
  formatDataScope,
  includesScope,
  parseDataScope,
  resourceTypes,
  scopeCategories,
  typeOfUnknownConstraint,
} from '../../../lambdas/catalog/oauth/scopes.ts';

const observationCategory = 'http://terminology.hl7.org/CodeSystem/observation-category';
const laboratory = `${observationCategory}|laboratory`;
const vitalSigns = `${observationCategory}|vital-signs`;

describe('a data scope', () => {
  it.each([
    ['patient/*.read', 'patient/*.read'],
    ['patient/Patient.*', 'patient/Patient.read'],
    ['patient/Patient.cruds', 'patient/Patient.rs'],
    ['patient/Patient.cr', 'patient/Patient.r'],
    ['patient/ExplanationOfBenefit.rs', 'patient/ExplanationOfBenefit.rs'],
    ['user/*.read', 'user/*.read'],
    ['user/Patient.cruds', 'user/Patient.rs'],
    [`patient/Observation.crs?category=${laboratory}`, `patient/Observation.rs?category=${laboratory}`],
  ])('%s can be granted as %s', (text, granted) => {
    const scope = parseDataScope(text);
    expect(scope && formatDataScope(scope)).toBe(granted);
  });

  it.each([
    'patient/*.write',
    'patient/*.c',
    'patient/*.',
    'patient/Patient.rs?a=b',
    `patient/Patient.rs?category=${laboratory}`,
    `patient/*.rs?category=${laboratory}`,
    `patient/Observation.read?category=${laboratory}`,
    `patient/Observation.rs?category=${laboratory}&status=final`,
    'patient/Observation.rs?category=laboratory',
    'patient/Observation.rs?category=',
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
    expect(resourceTypes(['patient-access'])).toEqual(patientAccessTypes);
    expect(resourceTypes(['provider-directory'])).toEqual([]);
  });
});

describe('a scope with a category', () => {
  const limited = `patient/Observation.rs?category=${laboratory}`;

  it('lets read that category, and no scope without one is less', () => {
    expect(allowedCategories(limited, 'Observation', 'r')).toEqual([laboratory]);
    const two = `${limited} patient/Observation.r?category=${vitalSigns}`;
    expect(allowedCategories(two, 'Observation', 'r')).toEqual([laboratory, vitalSigns]);
    expect(allowedCategories(two, 'Observation', 's')).toEqual([laboratory]);
    expect(allowedCategories(`${two} patient/Observation.r`, 'Observation', 'r')).toBeUndefined();
    expect(allowedCategories(`${two} patient/*.s`, 'Observation', 's')).toBeUndefined();
    expect(allowedCategories(limited, 'Condition', 'r')).toEqual([]);
    expect([allowsRead(limited, 'Observation'), allowsRead(limited, 'Condition')]).toEqual([true, false]);
  });

  it('is part of one without, and of no other', () => {
    expect(includesScope('patient/Observation.rs', limited)).toBe(true);
    expect(includesScope('patient/*.read', limited)).toBe(true);
    expect(includesScope(limited, limited.replace('.rs', '.r'))).toBe(true);
    expect(includesScope(limited, 'patient/Observation.rs')).toBe(false);
    expect(includesScope(limited, limited.replace('laboratory', 'vital-signs'))).toBe(false);
  });

  it('is known for Condition and Observation only; another constraint is told apart from other mistakes', () => {
    const types = patientAccessTypes.filter((type) => scopeCategories(type).length > 0);
    expect(types).toEqual(['Condition', 'Observation']);
    expect(typeOfUnknownConstraint('patient/Observation.rs?category=x|y')).toBe('Observation');
    expect(typeOfUnknownConstraint('user/*.rs?category=x|y')).toBe('*');
    expect(typeOfUnknownConstraint('patient/Coverage.rs?status=active')).toBe('Coverage');
    expect(typeOfUnknownConstraint(limited)).toBeUndefined();
    expect(typeOfUnknownConstraint('patient/Observation.rs')).toBeUndefined();
    expect(typeOfUnknownConstraint('openid')).toBeUndefined();
  });
});
