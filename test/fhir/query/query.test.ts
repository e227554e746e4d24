import { describe, expect, it } from 'vitest';
import { patientAccessTypes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { splitUnescaped, unescaped } from '../../../lambdas/fhir/query/escapes.ts';
import { memberSearch, usualSort } from '../../../lambdas/fhir/query/member-searches.ts';
import { parseQuery, type SearchQuery } from '../../../lambdas/fhir/query/query.ts';
import type { Parameter } from '../../../lambdas/fhir/query/search-issue.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';
import { base, nowSeconds, parametersOf } from '../search/world.ts';

const options = { base, now: nowSeconds * 1000, strict: false };
const parse = (query: string) =>
  parseQuery(memberSearch('ExplanationOfBenefit'), parametersOf(query), options);

function understood(query: string): SearchQuery {
  const parsed = parse(query);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  return parsed.query;
}

function issuesOf(query: string): string[] {
  const parsed = parse(query);
  return parsed.kind === 'query'
    ? []
    : parsed.issues.map(({ code, diagnostics }) => `${code}: ${diagnostics}`);
}

describe('the values of a parameter', () => {
  it.each([
    ['type=a', [{ code: 'a' }]],
    ['type=s%7Ca', [{ system: 's', code: 'a' }]],
    ['type=%7Ca', [{ system: '', code: 'a' }]],
    ['type=s%7C', [{ system: 's' }]],
    ['type=a,s%7Cb,%7Cc', [{ code: 'a' }, { system: 's', code: 'b' }, { system: '', code: 'c' }]],
    ['type=a\\,b', [{ code: 'a,b' }]],
    ['type=a\\%7Cb', [{ code: 'a|b' }]],
    ['type=s\\%7Ct%7Ca', [{ system: 's|t', code: 'a' }]],
    ['type=a\\$b', [{ code: 'a$b' }]],
    ['type=a\\\\,b', [{ code: 'a\\' }, { code: 'b' }]],
    ['type=a\\\\\\,b', [{ code: 'a\\,b' }]],
    ['type=a\\nb', [{ code: 'a\\nb' }]],
    ['type=a\\', [{ code: 'a\\' }]],
    ['type=a,,b,', [{ code: 'a' }, { code: 'b' }]],
    ['type=a,%20,b', [{ code: 'a' }, { code: 'b' }]],
    ['type=gea', [{ code: 'gea' }]],
  ])('%s are the tokens %j', (query, anyOf) => {
    expect(understood(query).criteria).toEqual([{ kind: 'token', name: 'type', negated: false, anyOf }]);
  });

  it.each([
    ['patient=p1', ['p1']],
    ['patient=Patient/p1', ['Patient/p1']],
    [`patient=${base}/Patient/p1`, ['Patient/p1']],
    ['patient=Patient/p1/_history/2', ['Patient/p1']],
    ['patient=p1,Patient/p2', ['p1', 'Patient/p2']],
    ['patient=https://elsewhere.example.com/Patient/p1', ['']],
    [`patient=${base}x/Patient/p1`, ['']],
    ['patient=../Patient/p1', ['']],
    ['patient=/', ['']],
  ])('%s are the references %j', (query, anyOf) => {
    expect(understood(query).criteria).toEqual([{ kind: 'reference', name: 'patient', anyOf }]);
  });

  it.each([
    ['service-date=2026', [['eq', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z']]],
    ['service-date=ge2026-03', [['ge', '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z']]],
    [
      'service-date=lt2026,sa2027',
      [
        ['lt', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
        ['sa', '2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z'],
      ],
    ],
    ['_lastUpdated=gt2026-03-14T10:00:00+05:00', [['gt', '2026-03-14T05:00:00Z', '2026-03-14T05:00:01Z']]],
    ['_lastUpdated=gt2026-03-14T10:00:00%2B05:00', [['gt', '2026-03-14T05:00:00Z', '2026-03-14T05:00:01Z']]],
  ])('%s are the dates %j', (query, dates) => {
    const anyOf = dates.map(([prefix, ...range]) => ({
      prefix,
      range: range.map((text) => Date.parse(text)),
    }));
    expect(understood(query).criteria).toMatchObject([{ kind: 'date', anyOf }]);
  });

  it.each([
    ['name=M%C3%BCL', 'starts-with', ['mul']],
    ['name:contains=%C3%9Cl', 'contains', ['ul']],
    ['name:exact=M%C3%BCller', 'exact', ['Müller']],
    ['name=Stra%C3%9Fe,de%20%20la\\,x', 'starts-with', ['strasse', 'de la,x']],
  ])('%s are the texts %s %j', (query, comparison, anyOf) => {
    const parsed = parseQuery(memberSearch('Patient'), parametersOf(query), options);
    expect(parsed).toMatchObject({
      query: { criteria: [{ kind: 'string', name: 'name', comparison, anyOf }] },
    });
  });

  it('are alternatives by comma, and all demanded by repetition', () => {
    const { criteria } = understood('service-date=ge2026&service-date=lt2027&type=a,b');
    expect(criteria.map((criterion) => criterion.kind)).toEqual(['date', 'date', 'token']);
  });

  it.each([
    'type=',
    'type=,',
    'type=,,',
    'type=%20',
    'type:missing=',
    '_count=',
    '_count=%20',
    '_sort=',
    '_sort=,',
    '_elements=,',
    'foo=',
  ])('that are empty are as good as not sent: %s', (query) => {
    expect(understood(query)).toMatchObject({ criteria: [], used: [], ignored: [], count: 20 });
  });

  it('split at what no backslash escapes, and join again', () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom(',', '|'), (text, separator: ',' | '|') => {
        expect(splitUnescaped(text, separator).join(separator)).toBe(text);
        const escaped = text.replace(/[\\,|$]/g, '\\$&');
        expect(splitUnescaped(escaped, separator)).toEqual([escaped]);
        expect(unescaped(escaped)).toBe(text);
      }),
    );
  });
});

describe('a modifier', () => {
  it.each([
    ['type:missing=true', { kind: 'missing', missing: true }],
    ['service-date:missing=false', { kind: 'missing', missing: false }],
    ['patient:missing=true', { kind: 'missing', missing: true }],
    ['type:not=a', { kind: 'token', negated: true }],
    ['patient:Patient=p1', { kind: 'reference', anyOf: ['Patient/p1'] }],
    ['patient:Patient=Patient/p1,Coverage/p1', { kind: 'reference', anyOf: ['Patient/p1', ''] }],
    ['patient:Patient=https://elsewhere.example/Patient/p1', { kind: 'reference', anyOf: [''] }],
  ])('of R4 is understood: %s', (query, criterion) => {
    expect(understood(query).criteria).toMatchObject([criterion]);
  });

  it.each([
    'type:exact=a',
    'type:contains=a',
    'type:text=a',
    'type:in=http://example.com/vs',
    'type:below=a',
    'type:above=a',
    'type:of-type=a',
    'type:NOT=a',
    'type:Missing=true',
    'type:=a',
    'type:not:not=a',
    'service-date:not=2026',
    'service-date:exact=2026',
    'patient:Coverage=p1',
    'patient:patient=p1',
    'patient:identifier=x',
    'patient:not=p1',
    '_id:exact=x',
    '_lastUpdated:above=2026',
    '_count:exact=1',
    '_sort:asc=_id',
    '_include:recurse=ExplanationOfBenefit:patient',
    '_summary:not=true',
    'type:__proto__=a',
    'type:constructor=a',
  ])('that is not served is refused: %s', (query) => {
    expect(issuesOf(query)).toEqual([expect.stringMatching(/^not-supported: (The|A) modifier/)]);
  });

  it.each([
    'patient.name=x',
    'patient:Patient.name=x',
    '_has:Observation:patient:code=1',
    '_has=x',
    'provider.name=x',
  ])('or a chain reaches into no other resource: %s', (query) => {
    // `provider` is not a search parameter, only an `_include`.
    if (query.startsWith('provider')) expect(understood(query).ignored).toEqual(['provider.name']);
    else expect(issuesOf(query)).toEqual([expect.stringMatching(/^not-supported: Chained parameters/)]);
  });
});

describe('a value that can’t be understood is an issue that names the parameter', () => {
  it.each([
    ['service-date=soon', 'service-date'],
    ['service-date=2026-02-30', 'service-date'],
    ['service-date=xx2026', 'service-date'],
    ['service-date=ge', 'service-date'],
    ['service-date=ge2026,soon', 'service-date'],
    ['service-date=gege2026', 'service-date'],
    ['_lastUpdated=1700000000', '_lastUpdated'],
    ['type=%7C', 'type'],
    ['type=a%7Cb%7Cc', 'type'],
    ['type:missing=yes', 'type:missing'],
    ['type:missing=true,false', 'type:missing'],
    ['_count=many', '_count'],
    ['_count=-1', '_count'],
    ['_count=1.5', '_count'],
    ['_count=1e3', '_count'],
    ['_count=%D9%A1', '_count'],
    ['_summary=yes', '_summary'],
    ['_summary=TRUE', '_summary'],
    ['_total=exact', '_total'],
    ['_elements=item.servicedDate', '_elements'],
    ['_elements=id,%22', '_elements'],
    ['_sort=type', '_sort'],
    ['_sort=--_id', '_sort'],
    ['_sort=patient', '_sort'],
    ['_sort=__proto__', '_sort'],
    ['_sort=_id,_id,_id,_id,_id,_id', '_sort'],
    ['_include=ExplanationOfBenefit:facility', '_include'],
    ['_include=Coverage:payor', '_include'],
    ['_include=Coverage:patient', '_include'],
    ['_include=Coverage:*', '_include'],
    ['_include=ExplanationOfBenefit', '_include'],
    ['_include=ExplanationOfBenefit:', '_include'],
    ['_include=ExplanationOfBenefit:patient:', '_include'],
    ['_include=ExplanationOfBenefit:patient:Patient:x', '_include'],
    ['_include=ExplanationOfBenefit:*:Patient', '_include'],
    ['_include=patient', '_include'],
    ['_count=1&_count=1', '_count'],
    ['_sort=_id&_sort=-_id', '_sort'],
    ['_summary=true&_summary=false', '_summary'],
    ['_summary=true&_elements=id', '_summary'],
    ['_summary=text&_include=*', '_include'],
  ])('%s', (query, name) => {
    expect(issuesOf(query)).toEqual([expect.stringContaining(name)]);
  });

  it('and what it may be is said', () => {
    expect(issuesOf('_include=x')[0]).toContain(
      'ExplanationOfBenefit:care-team, ExplanationOfBenefit:coverage',
    );
    expect(issuesOf('_sort=x')[0]).toContain('_id, _lastUpdated, service-date');
    expect(issuesOf('type:text=a')[0]).toMatch(/ It has missing, not\.$/);
    expect(issuesOf('patient:identifier=x')[0]).toMatch(/ It has missing, Patient\.$/);
    expect(issuesOf('_sort:asc=_id')[0]).toMatch(/ It has none\.$/);
  });

  it('and every wrong one is named', () => {
    expect(issuesOf('service-date=soon&_count=x&type:text=a&_sort=z')).toHaveLength(4);
  });

  it('shows what was sent in one short line', () => {
    const [issue = ''] = issuesOf(`_count=${'%0A%E2%80%AE<script>'.repeat(30)}`);
    expect(issue).toHaveLength(issue.replace(/[\p{C}\n]/gu, '').length);
    expect(issue.length).toBeLessThan(150);
  });
});

describe('the parameters of the result', () => {
  it.each([
    [
      '',
      {
        count: 20,
        selection: { summary: 'false' },
        includes: [],
      },
    ],
    ['_count=1', { count: 1 }],
    ['_count=100', { count: 100 }],
    ['_count=101', { count: 100, used: [['_count', '100']] }],
    [`_count=${'9'.repeat(400)}`, { count: 100 }],
    ['_count=007', { count: 7 }],
    ['_count=0', { selection: { summary: 'count' }, used: [['_count', '0']] }],
    ['_summary=count', { selection: { summary: 'count' } }],
    ['_summary=data', { selection: { summary: 'data' } }],
    ['_summary=false&_elements=item', { selection: { summary: 'false', elements: ['item'] } }],
    ['_elements=item, total', { selection: { elements: ['item', 'total'] } }],
    [
      '_sort=-_lastUpdated,_id',
      {
        sort: [
          { name: '_lastUpdated', descending: true },
          { name: '_id', descending: false },
        ],
      },
    ],
    ['_sort=billable-period-start', { sort: [{ name: 'billable-period-start', descending: false }] }],
    ['_include=ExplanationOfBenefit:payee', { includes: [{ parameter: 'payee' }] }],
    [
      '_include=ExplanationOfBenefit:payee:RelatedPerson',
      { includes: [{ parameter: 'payee', target: 'RelatedPerson' }] },
    ],
    [
      '_include=*',
      {
        includes: ['patient', 'provider', 'care-team', 'coverage', 'insurer', 'payee'].map((parameter) => ({
          parameter,
        })),
      },
    ],
    ['_summary=text', { selection: { summary: 'text' }, used: [['_summary', 'text']] }],
    ['_sort=_id,_id,_id,_id,_id', { used: [['_sort', '_id,_id,_id,_id,_id']] }],
    [
      `_id=${'a,'.repeat(100)}`,
      { criteria: [{ kind: 'id', anyOf: Array.from({ length: 100 }, () => 'a') }] },
    ],
    ['_total=none', { used: [['_total', 'none']] }],
    ['_format=json&_pretty=true', { used: [], ignored: [] }],
  ])('%s is %j', (query, expected) => {
    expect(understood(query)).toMatchObject(expected);
  });

  it.each([
    ['Patient', [{ name: '_lastUpdated', descending: true }]],
    ['Coverage', [{ name: '_lastUpdated', descending: true }]],
    ['Encounter', [{ name: 'date', descending: true }]],
    [
      'ExplanationOfBenefit',
      [
        { name: 'use', first: 'claim', descending: false },
        { name: 'service-start-date', descending: true },
      ],
    ],
  ] as const)('leave %s in its usual order: %j', (type, order) => {
    const parsed = parseQuery(memberSearch(type), [], options);
    expect(parsed.kind === 'query' && parsed.query.sort).toBeUndefined();
    expect(usualSort(type)).toEqual(order);
  });
});

describe('what was used', () => {
  it('are the parameters in their order, without what was ignored', () => {
    const { used, ignored } = understood('_sort=_id&x=1&patient=p1,&y=&_format=json&type:not=a&x=2');
    expect(used).toEqual([
      ['_sort', '_id'],
      ['patient', 'p1,'],
      ['type:not', 'a'],
    ]);
    expect(ignored).toEqual(['x']);
  });

  it('gives the same query again', () => {
    const names = fc.constantFrom(
      'type',
      'identifier',
      'service-date',
      'patient',
      '_id',
      '_lastUpdated',
      'type:not',
      'service-date:missing',
      '_count',
      '_sort',
      '_include',
      '_summary',
      '_elements',
      '_total',
      'other',
    );
    const values = fc.constantFrom(
      'a',
      's|a',
      '2026',
      'ge2026-03-05',
      'p1',
      'true',
      '7',
      '500',
      '-_lastUpdated',
      '*',
      'none',
      'data',
      'a,,b\\,',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(names, values), { maxLength: 6 }), (parameters) => {
        const first = parseQuery(memberSearch('ExplanationOfBenefit'), parameters, options);
        if (first.kind === 'invalid') return;
        const { ignored: _ignored, ...query } = first.query;
        const again = parseQuery(memberSearch('ExplanationOfBenefit'), query.used, options);
        expect(again).toEqual({ kind: 'query', query: { ...query, ignored: [] } });
      }),
      { numRuns: 500 },
    );
  });
});

describe('what an attacker sends', () => {
  it.each([
    ['too many parameters', Array.from({ length: 51 }, (_, index): Parameter => [`x${index}`, '1'])],
    ['too long a value', [['_id', 'x'.repeat(5001)]]],
    ['a value too long once it is encoded', [['_id', 'ü'.repeat(1001)]]],
    ['too long a name', [['x'.repeat(5001), '1']]],
    ['too many alternatives', [['_id', 'a,'.repeat(101)]]],
    ['a megabyte', [['name', ','.repeat(1_000_000)]]],
    ['half a character in a value', [['_id', 'a\ud800']]],
    ['half a character in a name', [['\udc00', 'a']]],
    ['a NUL', [['_id', 'a\0b']]],
  ] as [string, Parameter[]][])('is refused with one issue: %s', (_what, parameters) => {
    expect(parseQuery(memberSearch('ExplanationOfBenefit'), parameters, options)).toEqual({
      kind: 'invalid',
      issues: [{ code: 'invalid', diagnostics: expect.any(String) }],
    });
  });

  it.each([
    '__proto__',
    ':missing',
    'constructor',
    'toString',
    'hasOwnProperty',
    'prototype',
    '__proto__.x',
    '_count.x',
    'valueOf:missing',
  ])('is no parameter by its name: %s', (name) => {
    expect(parseQuery(memberSearch('Patient'), [[name, '1']], options)).toMatchObject({
      query: { criteria: [], ignored: [name] },
    });
  });

  it('never makes an error, whatever the text', () => {
    const names = fc.oneof(
      anyText({ maxLength: 20 }),
      fc.constantFrom(
        'type',
        'name',
        'service-date',
        'patient',
        '_id',
        '_sort',
        '_include',
        '_elements',
        '_count',
        '_summary',
        'birthdate',
        '_lastUpdated',
        'gender:not',
        'name:exact',
        'patient.name',
        '_has:',
      ),
    );
    const units = fc.constantFrom(
      '\\',
      ',',
      '|',
      '$',
      ':',
      '-',
      '.',
      '*',
      'ge',
      '2026',
      'T',
      '+',
      ' ',
      '\ud800',
      '\0',
      '__proto__',
      '/',
      'Patient',
    );
    const values = fc.oneof(
      anyText(),
      fc.array(units).map((parts) => parts.join('')),
    );
    const parameters = fc.array(fc.tuple(names, values), { maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...patientAccessTypes), parameters, fc.boolean(), (type, sent, strict) => {
        const parsed = parseQuery(memberSearch(type), sent, { ...options, strict });
        if (parsed.kind === 'invalid') expect(parsed.issues.length).toBeGreaterThan(0);
        else expect(parsed.query.count).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    '\\',
    '\\\\',
    '|',
    '(',
    'a\\',
    '2026-',
    '-',
    ' ',
    '\u0301',
  ])('is read in little time: %j again and again', (unit) => {
    const before = process.threadCpuUsage();
    const value = unit.repeat(Math.floor(1900 / unit.length));
    for (const name of ['type', 'service-date', 'patient', '_id', '_sort', '_include', '_elements', value]) {
      parseQuery(memberSearch('ExplanationOfBenefit'), [[name, value]], options);
    }
    parseQuery(memberSearch('Patient'), [['name', value]], options);
    expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
  });
});
