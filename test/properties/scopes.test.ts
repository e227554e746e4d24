import { describe, expect, it } from 'vitest';
import { grantableScope, refreshedScope } from '../../lambdas/authorization/oauth/scope-grant.ts';
import { interfaceNames } from '../../lambdas/catalog/fhir/interfaces.ts';
import {
  allowsRead,
  allowsSearch,
  parseDataScope,
  resourceTypes,
} from '../../lambdas/catalog/oauth/scopes.ts';
import fc from '../support/property.ts';

/** Scopes never widen: the granted scope is within the requested one, and a refreshed scope within the granted one. */

const types = ['Patient', 'Coverage', 'ExplanationOfBenefit', 'Practitioner', '*', 'patient', 'Pa tient', ''];
const permissions = ['read', 'write', '*', 'r', 's', 'rs', 'cruds', 'c', 'u', 'd', 'sr', '', 'rs?category=x'];
const dataScope = fc
  .tuple(
    fc.constantFrom('patient', 'user', 'system', 'Patient', ''),
    fc.constantFrom(...types),
    fc.constantFrom(...permissions),
  )
  .map(([context, type, permission]) => `${context}/${type}.${permission}`);
const scope = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: dataScope },
      fc.constantFrom(
        'openid',
        'fhirUser',
        'launch/patient',
        'offline_access',
        'launch',
        'profile',
        'email',
        '.default',
      ),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((tokens) => tokens.join(' '));
const products = fc.subarray([...interfaceNames]);

/** The access that scopes grant: reads and searches, by type. */
function powers(scopes: string, served: readonly string[]): Set<string> {
  const given = new Set<string>();
  for (const text of scopes.split(' ')) {
    const data = parseDataScope(text);
    if (data === undefined) continue;
    const concerned = data.resourceType === '*' ? served : [data.resourceType];
    const letters = data.permission === 'read' ? ['r', 's'] : [...data.permission];
    for (const type of concerned) for (const letter of letters) given.add(`${type}.${letter}`);
  }
  return given;
}

/** Whether a request asks for the application's default scope. */
const meansDefault = (asked: string) => asked.split(' ').every((token) => ['', 'openid'].includes(token));

describe('what is granted', () => {
  it('gives no power over data that was not asked for, and none beyond the products', () => {
    fc.assert(
      fc.property(scope, products, (asked, held) => {
        const granted = grantableScope(asked, held);
        if (granted === undefined) return;
        const served = resourceTypes(held);
        const wanted = powers(asked, served);
        for (const power of powers(granted, served)) {
          expect(served).toContain(power.split('.')[0]);
          // A request of `openid` alone asks for the default scope, which has reads only.
          if (!meansDefault(asked)) expect(wanted).toContain(power);
        }
        for (const token of granted.split(' ')) {
          if (!token.includes('.')) expect(asked.split(' ')).toContain(token);
          else expect(token).toMatch(/^(patient|user)\/(\*|[A-Z][A-Za-z]+)\.(read|r|s|rs)$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('granted again is itself: nothing grows by repetition', () => {
    fc.assert(
      fc.property(scope, products, (asked, held) => {
        const granted = grantableScope(asked, held);
        // `openid` that remains of a longer request is a sign-in without data; `openid` requested alone asks for the default scope.
        if (granted === undefined || granted === 'openid') return;
        expect(grantableScope(granted, held)).toBe(granted);
      }),
      { numRuns: 500 },
    );
  });

  it('shrinks with the products', () => {
    fc.assert(
      fc.property(scope, products, products, (asked, some, more) => {
        const fewer = grantableScope(
          asked,
          some.filter((name) => more.includes(name)),
        );
        if (fewer === undefined) return;
        const all = grantableScope(asked, some);
        for (const power of powers(fewer, resourceTypes(some.filter((name) => more.includes(name))))) {
          expect(powers(all ?? '', resourceTypes(some))).toContain(power);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('allows reading and searching a type only by a scope for it', () => {
    fc.assert(
      fc.property(scope, (granted) => {
        for (const type of ['Patient', 'Coverage', 'ExplanationOfBenefit', 'Organization']) {
          expect(allowsRead(granted, type)).toBe(powers(granted, [type]).has(`${type}.r`));
          expect(allowsSearch(granted, type)).toBe(powers(granted, [type]).has(`${type}.s`));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('what a refresh gives', () => {
  it('is a part of what was granted, whatever is asked', () => {
    fc.assert(
      fc.property(scope, scope, products, fc.boolean(), (asked, later, held, resends) => {
        const granted = grantableScope(asked, held);
        if (granted === undefined) return;
        const narrowed = refreshedScope(granted, asked, resends ? asked : later);
        if (narrowed === undefined) return;
        const served = resourceTypes(held);
        for (const power of powers(narrowed, served)) expect(powers(granted, served)).toContain(power);
        for (const token of narrowed.split(' ')) {
          if (!token.includes('.')) expect(granted.split(' ')).toContain(token);
        }
      }),
      { numRuns: 500 },
    );
  });
});
