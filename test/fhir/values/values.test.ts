import { describe, expect, it } from 'vitest';
import {
  patientAccessTypes,
  recordSearchParameters,
  servedResource,
} from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { dateRange } from '../../../lambdas/fhir/values/date-range.ts';
import { expressionsOf } from '../../../lambdas/fhir/values/expressions.ts';
import { namedReference } from '../../../lambdas/fhir/values/reference.ts';
import { searchValues } from '../../../lambdas/fhir/values/values.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';
import { claim, patient } from '../search/world.ts';

const of = (elements: Readonly<Record<string, unknown>>) => searchValues(claim('e1', elements));
const day = (text: string) => dateRange(text);

describe('the values of a Patient', () => {
  const values = searchValues({
    ...patient,
    name: [{ text: 'Dr. Ana Müller', family: 'Müller', given: ['Ana', 'Sofía'] }],
  });

  it('are identifiers with their systems', () => {
    expect(values.tokens.identifier).toEqual([['https://plan.example.com/MEMBER_LIFE_ID', 'M-1']]);
  });

  it('are the gender, with the system its binding implies', () => {
    expect(values.tokens.gender).toEqual([['http://hl7.org/fhir/administrative-gender', 'female']]);
  });

  it('are each part of the names, folded and as they stand', () => {
    expect(values.strings.name).toEqual([
      ['muller', 'Müller'],
      ['ana', 'Ana'],
      ['sofia', 'Sofía'],
      ['dr. ana muller', 'Dr. Ana Müller'],
    ]);
  });

  it('are the year or month in which an unknown birthday lies', () => {
    expect(values.dates.birthdate).toEqual([day('1960')]);
  });

  it('count a text of quotes as a function’s answer holds it', () => {
    const notes = { resourceType: 'Binary', id: 'b1', data: '"'.repeat(3000) };
    const inAnswer = Buffer.byteLength(JSON.stringify(JSON.stringify(notes)));
    expect(inAnswer).toBeGreaterThan(12_000);
    expect(searchValues(notes).size).toBe(Math.ceil((2 / 3) * inAnswer));
  });

  it('count its bytes', () => {
    expect(values.size).toBe(
      Buffer.byteLength(
        JSON.stringify({
          ...patient,
          name: [{ text: 'Dr. Ana Müller', family: 'Müller', given: ['Ana', 'Sofía'] }],
        }),
      ),
    );
  });
});

describe('the values of a Coverage', () => {
  it('are its references, the beneficiary under both names', () => {
    const { references } = searchValues({
      resourceType: 'Coverage',
      beneficiary: { reference: 'Patient/p1' },
      payor: [{ reference: 'Organization/o1' }, { reference: 'RelatedPerson/r1' }, { reference: '#inside' }],
      subscriber: { reference: 'RelatedPerson/r1' },
      policyHolder: { reference: 'RelatedPerson/r2' },
    });
    expect(references).toEqual({
      patient: ['Patient/p1'],
      beneficiary: ['Patient/p1'],
      payor: ['Organization/o1', 'RelatedPerson/r1'],
      subscriber: ['RelatedPerson/r1'],
      'policy-holder': ['RelatedPerson/r2'],
    });
  });
});

describe('the values of those a claim names', () => {
  it('of an Organization are its names and each part of its addresses', () => {
    const { strings } = searchValues({
      resourceType: 'Organization',
      name: 'Ñandú Clinic',
      alias: ['The Nandu'],
      address: [{ line: ['1 Main St', 'Floor 2'], city: 'Laurel', state: 'MD', postalCode: '20707' }],
    });
    expect(strings).toEqual({
      name: [
        ['nandu clinic', 'Ñandú Clinic'],
        ['the nandu', 'The Nandu'],
      ],
      address: [
        ['1 main st', '1 Main St'],
        ['floor 2', 'Floor 2'],
        ['laurel', 'Laurel'],
        ['md', 'MD'],
        ['20707', '20707'],
      ],
    });
  });

  it('of a Practitioner are names and identifiers, of a RelatedPerson names and the member', () => {
    const name = [{ family: 'Example', given: ['Ada'], prefix: ['Dr.'] }];
    const names = [
      ['example', 'Example'],
      ['ada', 'Ada'],
      ['dr.', 'Dr.'],
    ];
    const identifier = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '2999999992' }];
    expect(searchValues({ resourceType: 'Practitioner', name, identifier })).toMatchObject({
      strings: { name: names },
      tokens: { identifier: [['http://hl7.org/fhir/sid/us-npi', '2999999992']] },
    });
    const patient = { reference: 'Patient/p1' };
    expect(searchValues({ resourceType: 'RelatedPerson', name, patient })).toMatchObject({
      strings: { name: names },
      references: { patient: ['Patient/p1'] },
    });
  });
});

describe('the values of an ExplanationOfBenefit', () => {
  it('are its profiles, each with its version, its use and its status', () => {
    const { tokens } = of({ meta: { profile: ['http://x/p|1', 'http://x/p'] } });
    expect(tokens._profile).toEqual([
      ['http://x/p', '1'],
      ['http://x/p', ''],
    ]);
    expect(tokens.use?.map(([, code]) => code)).toEqual(['claim']);
    expect(tokens.status?.map(([, code]) => code)).toEqual(['active']);
  });

  it('are the codes of its type and its identifiers', () => {
    const { tokens } = of({
      ...{ use: 7, status: {} },
      type: {
        coding: [{ system: 's', code: 'a' }, { code: 'b' }, { system: 's', display: 'no code' }],
        text: 'not a code',
      },
      identifier: [{ value: '1' }, { system: 'i', value: '2' }, { system: 'i' }, { system: 'i', value: '2' }],
    });
    expect(tokens).toEqual({
      type: [
        ['s', 'a'],
        ['', 'b'],
      ],
      identifier: [
        ['', '1'],
        ['i', '2'],
      ],
    });
  });

  it('are its references by what _include follows', () => {
    expect(
      of({
        careTeam: [
          { provider: { reference: 'Practitioner/d1' } },
          { provider: { reference: 'Organization/o2' } },
          {},
        ],
        payee: { party: { reference: 'RelatedPerson/r1' } },
        insurance: [{ coverage: { reference: 'Coverage/c1' } }, { coverage: { reference: 'Coverage/c2' } }],
      }).references,
    ).toEqual({
      patient: ['Patient/p1'],
      provider: ['Organization/clinic'],
      'care-team': ['Practitioner/d1', 'Organization/o2'],
      coverage: ['Coverage/c1', 'Coverage/c2'],
      insurer: ['Organization/payer'],
      payee: ['RelatedPerson/r1'],
    });
  });

  it('are the dates of its period and of its lines, each once', () => {
    const { dates } = of({
      billablePeriod: { start: '2026-01-05', end: '2026-01-07' },
      item: [
        { servicedDate: '2026-01-05' },
        { servicedDate: '2026-01-05' },
        { servicedPeriod: { start: '2026-01-06', end: '2026-01-07' } },
        { servicedPeriod: { end: '2026-01-07' } },
        {},
      ],
    });
    const [start, end] = [day('2026-01-05')?.[0], day('2026-01-07')?.[1]];
    expect(dates).toEqual({
      'service-date': [[start, end], day('2026-01-05'), [day('2026-01-06')?.[0], end], [null, end]],
      'service-start-date': [day('2026-01-05'), day('2026-01-06')],
      'billable-period-start': [day('2026-01-05')],
    });
  });

  it('survive JSON as they are', () => {
    const values = of({ billablePeriod: { end: '2026' } });
    expect(JSON.parse(JSON.stringify(values))).toEqual(values);
  });
});

describe('a reference', () => {
  it.each([
    ['Patient/p1', '', 'Patient/p1'],
    ['Patient/p1/_history/3', '', 'Patient/p1'],
    ['https://a.example.com/fhir/Patient/p1', 'https://a.example.com/fhir', 'Patient/p1'],
    ['http://localhost:8080/Patient/p1/_history/1', 'http://localhost:8080', 'Patient/p1'],
    ['Organization/A.b-9', '', 'Organization/A.b-9'],
  ])('%s is of the base ‘%s’ and named %s', (text, base, name) => {
    expect(namedReference(text)).toEqual({ base, name });
  });

  it.each([
    '',
    '#inside',
    '#',
    '/',
    '//',
    'Patient',
    'Patient/',
    '/Patient/p1',
    'patient/p1',
    'Patient/p 1',
    'Patient/p1/',
    'Patient/p1#x',
    'x/Patient/p1',
    'urn:uuid:0c2f5a6e-33b1-4a9c-8b59-1f9f40c0a111',
    'urn:oid:1.2.3',
    'ftp://a/Patient/p1',
    'https:///Patient/p1 x',
    'https://a b/Patient/p1',
    'https://a/?x=Patient/p1',
    'Patient?identifier=1',
    `Patient/${'x'.repeat(65)}`,
    `https://${'a/'.repeat(5000)}Patient/p1`,
    '__proto__/constructor',
    null,
    7,
    {},
  ])('%j names no resource of ours', (text) => {
    expect(namedReference(text)).toBeUndefined();
  });
});

describe('values that can’t be understood', () => {
  it.each([
    null,
    undefined,
    7,
    'text',
    [],
    {},
    { resourceType: 'Observation' },
    { resourceType: '__proto__' },
    { resourceType: 'constructor' },
    { resourceType: ['Patient'] },
    { resourceType: 'ExplanationOfBenefit' },
    { resourceType: 'Organization', id: 'o1' },
  ])('of %j are none', (resource) => {
    expect(searchValues(resource)).toMatchObject({ tokens: {}, dates: {}, strings: {}, references: {} });
  });

  it.each([
    {
      billablePeriod: 'soon',
      item: 'x',
      type: 7,
      identifier: null,
      careTeam: {},
      payee: [],
      insurance: [[{ coverage: 1 }]],
    },
    { billablePeriod: { start: 7, end: {} }, item: [null, 7, { servicedDate: [] }], type: { coding: {} } },
    { type: { coding: [null, 7, { code: 7 }, { code: '' }] }, identifier: [{ value: {} }, ['x']] },
  ])('are left out: %j', (elements) => {
    const { tokens, dates } = of({ use: 7, status: {}, ...elements });
    expect({ tokens, dates }).toEqual({ tokens: {}, dates: {} });
  });

  it('give none in any JSON, and never an error', () => {
    const names = fc.constantFrom(
      'resourceType',
      'identifier',
      'type',
      'coding',
      'system',
      'code',
      'value',
      'item',
      'servicedDate',
      'servicedPeriod',
      'start',
      'end',
      'billablePeriod',
      'patient',
      'reference',
      'payee',
      'party',
      'insurance',
      'coverage',
      'name',
      'given',
      '__proto__',
      'constructor',
      'toString',
    );
    const texts = fc.oneof(
      anyText(),
      fc.constantFrom('2026-01-01', 'Patient/p1', 'ExplanationOfBenefit', 'Patient'),
    );
    const { any } = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'medium' },
        fc.oneof(texts, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.array(fc.tuple(names, tie('any')), { maxLength: 8 }).map((members) => {
          const json = members.map(
            ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`,
          );
          return JSON.parse(`{${json.join(',')}}`) as unknown;
        }),
      ),
    }));
    const resource = fc
      .tuple(fc.constantFrom(...patientAccessTypes), any)
      .map(([resourceType, value]) => (typeof value === 'object' ? { ...value, resourceType } : value));
    fc.assert(
      fc.property(resource, (value) => {
        const values = searchValues(value);
        expect(JSON.parse(JSON.stringify(values))).toEqual(values);
      }),
      { numRuns: 300 },
    );
  });

  it('give none of what is nested deeper than the stack', () => {
    let nested: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    expect(searchValues({ resourceType: 'Patient', name: nested })).toEqual({
      size: 0,
      tokens: {},
      dates: {},
      strings: {},
      references: {},
    });
  });
});

describe('the table of what is served', () => {
  it.each(
    patientAccessTypes,
  )('has values for each search parameter and _include of %s, and no other', (type) => {
    const { searchParameters, includes } = servedResource(type);
    const rules = expressionsOf({ resourceType: type });
    const compared = [...recordSearchParameters, ...searchParameters].filter(
      (each) => each.sources.length > 0,
    );
    const named = (kind: string) => compared.filter((each) => each.type === kind).map(({ name }) => name);
    expect(Object.keys(rules?.tokens ?? {}).sort()).toEqual([...named('token'), ...named('uri')].sort());
    expect(Object.keys(rules?.dates ?? {}).sort()).toEqual(named('date').sort());
    expect(Object.keys(rules?.strings ?? {}).sort()).toEqual(named('string').sort());
    expect(Object.keys(rules?.references ?? {}).sort()).toEqual(
      [...new Set([...named('reference'), ...includes])].sort(),
    );
  });
});
