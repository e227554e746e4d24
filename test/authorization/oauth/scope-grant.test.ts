import { describe, expect, it } from 'vitest';
import { grantableScope } from '../../../lambdas/authorization/oauth/scope-grant.ts';
import { type Interface, interfaceNames } from '../../../lambdas/catalog/fhir/interfaces.ts';
import { identityScopes, parseDataScope, resourceTypes } from '../../../lambdas/catalog/oauth/scopes.ts';
import fc from '../../support/property.ts';
import { readingAll } from '../builders.ts';

const products: readonly Interface[] = ['patient-access'];

describe('the scope that can be granted', () => {
  it.each([
    ['patient/*.read', 'patient/*.read'],
    ['patient/Patient.read', 'patient/Patient.read'],
    ['patient/Patient.rs', 'patient/Patient.rs'],
    ['patient/*.rs', 'patient/*.rs'],
    ['patient/Patient.r', 'patient/Patient.r'],
    ['patient/Patient.s', 'patient/Patient.s'],
    ['patient/Patient.cruds', 'patient/Patient.rs'],
    ['patient/*.*', 'patient/*.read'],
    ['openid fhirUser launch/patient patient/*.read', 'openid fhirUser launch/patient patient/*.read'],
    ['openid profile patient/*.read', 'openid patient/*.read'],
    ['patient/*.read offline_access', 'offline_access patient/*.read'],
    ['openid online_access patient/*.read', 'openid patient/*.read'],
    ['fhirUser patient/*.read', 'patient/*.read'],
    ['patient/Patient.read patient/Appointment.read', 'patient/Patient.read'],
    [
      'patient/ExplanationOfBenefit.r patient/Coverage.s',
      'patient/ExplanationOfBenefit.r patient/Coverage.s',
    ],
    // A scope with a query is not supported. Granting it without its query would give more than was requested.
    ['patient/Coverage.rs patient/ExplanationOfBenefit.rs?type=oral', 'patient/Coverage.rs'],
    ['patient/Patient.read user/Patient.read', 'patient/Patient.read user/Patient.read'],
    ['openid user/*.read', 'openid user/*.read'],
    ['user/Coverage.cruds user/Appointment.read', 'user/Coverage.rs'],
    ['patient/Patient.read patient/Patient.write', 'patient/Patient.read'],
    ['  patient/Patient.read   patient/Patient.read ', 'patient/Patient.read'],
    ['openid', `openid ${readingAll}`],
    ['openid  openid ', `openid ${readingAll}`],
    [undefined, readingAll],
    ['', readingAll],
  ])('for %j is %j', (asked, granted) => {
    expect(grantableScope(asked, products)).toBe(granted);
  });

  it.each([
    ['openid fhirUser', 'openid fhirUser'],
    ['openid launch/patient', 'openid launch/patient'],
    ['openid offline_access', 'openid offline_access'],
    ['openid profile email', 'openid'],
    ['launch/patient', 'launch/patient'],
    ['launch/patient offline_access', 'launch/patient offline_access'],
  ])('for %j is a sign-in without data', (asked, granted) => {
    expect(grantableScope(asked, products)).toBe(granted);
  });

  it.each([
    'everything',
    'offline_access',
    'fhirUser',
    'patient/Patient.write',
    'patient/*.cud',
    'patient/Appointment.read',
    'patient/Patient.sr',
    'patient/Patient.',
    'patient/patient.read',
    'patient/Patient.rs?category=x',
    'patient/ExplanationOfBenefit.rs?type=http://terminology.hl7.org/CodeSystem/claim-type|oral',
    'user/*.write',
    'system/*.read',
    'openid patient/Appointment.rs',
    'online_access',
    'patient/Patient.read "',
    'patient/Patient.read\u00e9',
    'a'.repeat(2_001),
  ])('for %j is nothing', (asked) => {
    expect(grantableScope(asked, products)).toBeUndefined();
  });

  it('is nothing for an application whose products hold no member data', () => {
    expect(grantableScope('patient/*.read', ['provider-directory'])).toBeUndefined();
    expect(grantableScope('openid', [])).toBeUndefined();
    expect(grantableScope('openid fhirUser', ['provider-directory'])).toBeUndefined();
  });

  const token = fc.oneof(
    fc.constantFrom(...identityScopes, 'profile', 'online_access', 'user/Patient.read', 'system/*.rs'),
    fc
      .tuple(
        fc.constantFrom('*', 'Patient', 'Observation', 'Coverage', 'ExplanationOfBenefit'),
        fc.constantFrom('read', 'write', '*', 'r', 's', 'rs', 'cruds', 'cud', 'x'),
      )
      .map(([type, permission]) => `patient/${type}.${permission}`),
    fc.string({ maxLength: 20 }),
  );

  it('is never wider than what was asked for or meant by default, nor than the products', () => {
    fc.assert(
      fc.property(fc.array(token), fc.subarray([...interfaceNames]), (asked, owned) => {
        const granted = grantableScope(asked.join(' '), owned)?.split(' ') ?? [];
        const wanted = asked.join(' ').split(' ');
        const meansDefault = wanted.every((one) => ['', 'openid'].includes(one));
        const served = resourceTypes(owned);
        for (const scope of granted) {
          const data = parseDataScope(scope);
          if (data === undefined) {
            expect(wanted).toContain(scope);
            expect(identityScopes).toContain(scope);
            continue;
          }
          if (data.resourceType !== '*') expect(served).toContain(data.resourceType);
          expect(served.length).toBeGreaterThan(0);
          const asFarAsAsked = wanted.some((one) => {
            const parsed = parseDataScope(one);
            return (
              parsed?.context === data.context &&
              parsed.resourceType === data.resourceType &&
              parsed.permission === data.permission
            );
          });
          expect(asFarAsAsked || meansDefault).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
