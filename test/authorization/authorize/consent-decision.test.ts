import { describe, expect, it } from 'vitest';
import {
  narrowedScope,
  requestedGroups,
  sharedGroups,
} from '../../../lambdas/authorization/authorize/consent-decision.ts';
import {
  categoryWords,
  type DataGroup,
  dataGroups,
  isChoice,
} from '../../../lambdas/catalog/fhir/data-groups.ts';
import { interfaceNames } from '../../../lambdas/catalog/fhir/interfaces.ts';
import { mayBeSensitive, sensitiveCategories } from '../../../lambdas/catalog/fhir/sensitive-categories.ts';
import {
  allowsRead,
  identityScopes,
  parseDataScope,
  resourceTypes,
  scopeCategories,
} from '../../../lambdas/catalog/oauth/scopes.ts';
import fc from '../../support/property.ts';

const products = ['patient-access'] as const;
const types = ['Patient', ...dataGroups.flatMap((group) => group.resourceTypes)];
const permissions = ['read', 'r', 's', 'rs'];
const tokens = fc.oneof(
  fc.constantFrom(...identityScopes),
  fc
    .tuple(fc.constantFrom('*', ...types), fc.constantFrom(...permissions))
    .map(([type, permission]) => `patient/${type}.${permission}`),
);
const scopes = fc.array(tokens, { minLength: 1, maxLength: 8 }).map((list) => list.join(' '));
const ticks = fc.subarray([...dataGroups.map(({ id }) => id), 'no-such-group', '']);

describe('the data groups', () => {
  it('have every type that is served in one group, and no type in two', () => {
    const grouped = dataGroups.flatMap((group) => group.resourceTypes);
    expect(new Set(grouped).size).toBe(grouped.length);
    for (const type of resourceTypes(interfaceNames)) expect(grouped).toContain(type);
  });

  it('are those asked for, in the catalog’s order', () => {
    const ids = (scope: string) => requestedGroups(scope, products).map(({ id }) => id);
    expect(ids('openid patient/*.read')).toEqual(dataGroups.map(({ id }) => id));
    expect(ids('patient/Observation.rs patient/Coverage.r patient/Patient.read')).toEqual([
      'details',
      'coverage',
      'tests',
      ...sensitiveCategories,
    ]);
    expect(ids('patient/Coverage.r patient/Patient.read')).toEqual(['details', 'coverage']);
    expect(ids('openid launch/patient')).toEqual([]);
  });

  it('of a grant are those of its types, and the sensitive categories that were ticked', () => {
    const ids = (scope: string) => sharedGroups(scope, products).map(({ id }) => id);
    expect(ids('patient/Observation.rs')).toEqual(['tests']);
    expect(ids('patient/Observation.rs sensitive/genetics')).toEqual(['tests', 'genetics']);
  });

  it('tell who gave care, and who else stands in a claim, only with the claims', () => {
    const claims = dataGroups.find(({ id }) => id === 'claims');
    expect(claims?.resourceTypes).toEqual(
      expect.arrayContaining(['ExplanationOfBenefit', 'Organization', 'Practitioner', 'RelatedPerson']),
    );
  });

  it('leave a choice where there is more than one, or a sensitive one', () => {
    const [details, coverage] = dataGroups;
    const sensitive = dataGroups.find((group) => group.sensitive);
    expect(isChoice([details, coverage].filter((group): group is DataGroup => group !== undefined))).toBe(
      true,
    );
    expect(isChoice(sensitive === undefined ? [] : [sensitive])).toBe(true);
    expect(isChoice(dataGroups.slice(0, 1))).toBe(false);
  });
});

describe('a group of which only categories are asked for', () => {
  const category = 'http://terminology.hl7.org/CodeSystem/observation-category|';
  const limited = ['laboratory', 'vital-signs'].map(
    (code) => `patient/Observation.rs?category=${category}${code}`,
  );

  it('says which, in both languages, and grants no more', () => {
    const [group, ...others] = requestedGroups(limited.join(' '), products);
    expect([group?.id, others.map(({ id }) => id)]).toEqual(['tests', [...sensitiveCategories]]);
    expect(group?.words.en.detail).toBe('Only lab results; blood pressure, weight and the like');
    expect(group?.words.es.detail).toMatch(/^Solo resultados de laboratorio; /);
    expect(narrowedScope(limited.join(' '), products, ['tests'])).toBe(limited.join(' '));
    expect(narrowedScope(limited.join(' '), products, ['details'])).toBeUndefined();
  });

  it('is the whole group where anything else of it is asked for', () => {
    const [group] = requestedGroups(`${limited[0]} patient/DiagnosticReport.rs`, products);
    expect(group).toEqual(dataGroups.find(({ id }) => id === 'tests'));
  });

  it('has words for every category that a scope can name', () => {
    const codes = types.flatMap(scopeCategories).map((each) => each.slice(each.lastIndexOf('|') + 1));
    expect(new Set(Object.keys(categoryWords))).toEqual(new Set(codes));
  });
});

describe('the scope a member leaves ticked', () => {
  it('never lets read what was not asked for, or was not ticked', () => {
    fc.assert(
      fc.property(scopes, ticks, (scope, ticked) => {
        const granted = narrowedScope(scope, products, ticked) ?? '';
        for (const type of types) {
          if (!allowsRead(granted, type)) continue;
          const group = dataGroups.find((each) => each.resourceTypes.includes(type));
          expect(ticked).toContain(group?.id);
          expect(allowsRead(scope, type)).toBe(true);
        }
        for (const token of granted.split(' ').filter((each) => each !== '')) {
          const own = scope.split(' ');
          if (token.startsWith('sensitive/')) {
            expect(ticked).toContain(token.slice('sensitive/'.length));
            const data = granted.split(' ').flatMap((each) => parseDataScope(each) ?? []);
            expect(data.some(({ resourceType }) => mayBeSensitive(resourceType))).toBe(true);
            continue;
          }
          const data = parseDataScope(token);
          // A grant names the types that the page listed, so a type that is served later is not in it.
          expect(data?.resourceType).not.toBe('*');
          const wide = data === undefined ? token : `patient/*.${data.permission}`;
          expect(own.includes(token) || own.includes(wide)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps all that was ticked, and the identity', () => {
    fc.assert(
      fc.property(scopes, (scope) => {
        const asked = requestedGroups(scope, products);
        const granted = narrowedScope(
          scope,
          products,
          asked.map(({ id }) => id),
        );
        const asksData = scope.split(' ').some((token) => parseDataScope(token) !== undefined);
        expect(granted === undefined).toBe(asksData && asked.length === 0);
        if (granted === undefined) return;
        for (const identity of identityScopes) {
          expect(granted.split(' ').includes(identity)).toBe(scope.split(' ').includes(identity));
        }
        const explicit = scope.split(' ').filter((token) => parseDataScope(token)?.resourceType !== '*');
        expect(granted.split(' ')).toEqual(expect.arrayContaining(explicit));
      }),
    );
  });

  it.each([
    ['openid patient/*.read', ['details'], 'openid patient/Patient.read'],
    ['patient/*.rs', ['details', 'coverage'], 'patient/Patient.rs patient/Coverage.rs'],
    ['patient/*.read', ['coverage'], 'patient/Coverage.read'],
    // Organization is shared with claims only: a scope can't separate the insurer from hospitals, and these tell where the member was
    // treated.
    ['patient/Coverage.rs patient/Organization.r', ['coverage'], 'patient/Coverage.rs'],
    [
      'patient/*.r',
      ['claims'],
      'patient/ExplanationOfBenefit.r patient/Organization.r patient/Practitioner.r patient/RelatedPerson.r',
    ],
    ['patient/Patient.rs patient/Coverage.rs', ['coverage'], 'patient/Coverage.rs'],
    ['patient/Patient.rs patient/Coverage.rs', [], undefined],
    ['user/*.rs', ['coverage'], 'user/Coverage.rs'],
    ['patient/Condition.rs', ['problems', 'violence'], 'patient/Condition.rs sensitive/violence'],
    ['patient/Condition.rs', ['violence'], undefined],
    ['patient/Coverage.rs', ['coverage', 'violence'], 'patient/Coverage.rs'],
    // A request for sign-in only, without data.
    ['openid fhirUser', ['details'], 'openid fhirUser'],
    ['openid fhirUser', [], 'openid fhirUser'],
  ])('of %j with %j is %j', (scope, ticked, granted) => {
    expect(narrowedScope(scope, products, ticked)).toBe(granted);
  });
});
