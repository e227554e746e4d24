import { describe, expect, it } from 'vitest';
import { directoryTypes } from '../../../lambdas/catalog/fhir/directory-types.ts';
import { isPatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { memberSearch } from '../../../lambdas/fhir/query/member-searches.ts';
import { parseQuery } from '../../../lambdas/fhir/query/query.ts';
import type { Parameter } from '../../../lambdas/fhir/query/search-issue.ts';
import type { SearchedType } from '../../../lambdas/fhir/query/searched-types.ts';
import { directorySearch } from '../../../lambdas/provider-directory/search/directory-searches.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';

/** A query has the same meaning for a member's record and for the directory. */

const base = 'https://dsnp.api.example.com/fhir';
const context = { base, now: 1_800_000_000_000 };

/** Types that both interfaces have, with the parameters of the same kind that both have. */
const shared = directoryTypes.flatMap((type) => {
  if (!isPatientAccessType(type)) return [];
  const [record, directory] = [memberSearch(type), directorySearch(type)];
  const names = record.parameters
    .filter(({ name, type: kind }) =>
      directory.parameters.some((each) => each.name === name && each.type === kind),
    )
    .map(({ name }) => name);
  return [{ type, record, directory, names }];
});

function meaning<Own>(type: SearchedType<Own>, parameters: readonly Parameter[], strict: boolean) {
  const parsed = parseQuery(type, parameters, { ...context, strict });
  // Only codes are compared: the texts list the parameters that each interface supports.
  return parsed.kind === 'query'
    ? { kind: 'query', ...parsed.query }
    : { kind: 'invalid', codes: parsed.issues.map(({ code }) => code) };
}

const values = fc.oneof(
  anyText(),
  fc.constantFrom(
    ...['', ',', 'a,b', '|a', 's|', 's|a', 's\\|a', 'Location/1', 'Organization/1', `${base}/Location/1`],
    ...['2026', 'ge2026-03', 'true', 'false', '0', '5', '_id', '-_lastUpdated,_id', 'name', 'Location.name'],
    ...['id,Practitioner.name', 'count', 'text', 'data', 'accurate', 'none', '*', 'a'.repeat(300)],
  ),
);

describe.each(shared)('a search of $type', ({ record, directory, names }) => {
  it('has parameters that both interfaces have', () => {
    expect(names.length).toBeGreaterThan(3);
  });

  it('means the same in a member’s record and in the directory', () => {
    const result = [
      '_count',
      '_summary',
      '_elements',
      '_sort',
      '_total',
      '_format',
      '_cursor',
      'color',
      '__proto__',
    ];
    const modifiers = [
      '',
      '',
      '',
      ':missing',
      ':not',
      ':exact',
      ':contains',
      ':',
      ':iterate',
      ':above',
      ':a:b',
    ];
    const parameter = fc
      .tuple(fc.constantFrom(...names, ...result), fc.constantFrom(...modifiers), values)
      .map(([name, modifier, value]): Parameter => [`${name}${modifier}`, value]);
    let understood = 0;
    fc.assert(
      fc.property(fc.array(parameter, { minLength: 1, maxLength: 4 }), fc.boolean(), (parameters, strict) => {
        const sent = parameters.filter(([name, value]) => !name.startsWith('_sort') || value !== 'name');
        const one = meaning(record, sent, strict);
        if (one.kind === 'query') understood += 1;
        expect(meaning(directory, sent, strict)).toEqual(one);
      }),
    );
    expect(understood).toBeGreaterThan(5);
  });
});

describe('an include', () => {
  const cases = [
    ['_include', 'PractitionerRole:practitioner', 'query'],
    ['_include', 'PractitionerRole:practitioner:Practitioner', 'query'],
    ['_include', 'PractitionerRole:*', 'query'],
    ['_include', '*', 'query'],
    ['_include:iterate', 'PractitionerRole:practitioner', 'query'],
    ['_include:iterate', 'Location:organization', 'query'],
    ['_include:recurse', 'PractitionerRole:practitioner', 'invalid'],
    ['_include', 'Location:organization', 'invalid'],
    ['_include', 'PractitionerRole:practitioner:', 'invalid'],
    ['_include', 'PractitionerRole:practitioner:Practitioner:x', 'invalid'],
    ['_include', 'PractitionerRole:*:Practitioner', 'invalid'],
    ['_include', 'PractitionerRole', 'invalid'],
    ['_revinclude', 'PractitionerRole:color', 'invalid'],
    ['_revinclude', '*', 'invalid'],
  ] as const;
  it.each(cases)('%s=%s is %s in both', (name, value, kind) => {
    const sent = [[name, value]] as const;
    expect(meaning(memberSearch('PractitionerRole'), sent, false).kind).toBe(kind);
    expect(meaning(directorySearch('PractitionerRole'), sent, false).kind).toBe(kind);
  });

  it('back to what is searched names no other type', () => {
    const reading = (value: string) =>
      parseQuery(directorySearch('Location'), [['_revinclude', value]], { ...context, strict: false }).kind;
    expect(reading('PractitionerRole:location')).toBe('query');
    expect(reading('PractitionerRole:location:Location')).toBe('query');
    expect(reading('PractitionerRole:location:Organization')).toBe('invalid');
  });
});
