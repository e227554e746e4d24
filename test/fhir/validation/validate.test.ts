import { describe, expect, it } from 'vitest';
import { directoryResource } from '../../../lambdas/catalog/fhir/directory-resources.ts';
import { directoryTypes } from '../../../lambdas/catalog/fhir/directory-types.ts';
import { patientAccessTypes, servedResource } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import definitions from '../../../lambdas/fhir/validation/definitions.json' with { type: 'json' };
import { profileFaults, structureFaults } from '../../../lambdas/fhir/validation/validate.ts';
import { directoryOf } from '../../../ops/generator/directory/directory.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';
import { payerCohort } from '../../../ops/generator/payer-cohort.ts';
import { populationMembers } from '../../../ops/generator/population.ts';
import { claim, coverage, patient } from '../../loads/drop-rows.ts';

type Json = Readonly<Record<string, unknown>>;

const usCore = 'http://hl7.org/fhir/us/core/StructureDefinition';
const code = (system: string, of: string) => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code: of }],
});
const condition = {
  resourceType: 'Condition',
  id: 'd1',
  meta: {
    versionId: '1',
    lastUpdated: '2026-11-22T01:00:00Z',
    profile: [`${usCore}/us-core-condition-problems-health-concerns|6.1.0`],
  },
  clinicalStatus: code('condition-clinical', 'active'),
  category: [code('condition-category', 'problem-list-item')],
  code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'E11.9' }] },
  subject: { reference: 'Patient/p1' },
};
const good = patient('p1', 'M0000001');
const payment = (amount: Json) => {
  const paid = claim('p1', 'c1');
  return { ...paid, payment: { ...paid.payment, amount } };
};
const born = (birthDate: string) => ({ ...good, birthDate });
const nested = (depth: number): Json => {
  const leaf: Json = { url: 'http://example.org/x', valueString: 'leaf' };
  return Array.from({ length: depth }).reduce<Json>(
    (inner) => ({ url: 'http://example.org/x', extension: [inner] }),
    leaf,
  );
};

const firstFault = (resource: Json) => {
  const [fault] = structureFaults(resource);
  return fault === undefined ? undefined : [fault.code, fault.element];
};

describe('the structure of a resource', () => {
  it.each([
    ['an object that is a text', { ...condition, code: 'E11.9' }, 'wrong_type', 'code'],
    ['a text that is an object', { ...condition, recordedDate: {} }, 'wrong_type', 'recordedDate'],
    ['a list that is one value', { ...condition, category: condition.category[0] }, 'wrong_type', 'category'],
    ['one value that is a list', { ...condition, code: [condition.code] }, 'wrong_type', 'code'],
    [
      'a number that is a text',
      payment({ value: '12', currency: 'USD' }),
      'wrong_type',
      'payment.amount.value',
    ],
    ['a boolean that is a text', { ...good, active: 'true' }, 'wrong_type', 'active'],
    ['an unknown element', { ...condition, diagnosedOn: '2020' }, 'unknown_element', 'diagnosedOn'],
    ['a name that is none', { ...condition, 'Ada Sampleton': 1 }, 'unknown_element', '(name)'],
    [
      'an unknown element of an element',
      { ...good, name: [{ first: 'Ada' }] },
      'unknown_element',
      'name.0.first',
    ],
    [
      'a day that is not in the calendar',
      { ...condition, onsetDateTime: '2025-02-30' },
      'malformed_value',
      'onsetDateTime',
    ],
    [
      '29 February of no leap year',
      { ...condition, onsetDateTime: '2100-02-29' },
      'malformed_value',
      'onsetDateTime',
    ],
    ['a date that is none', { ...condition, recordedDate: 'not-a-date' }, 'malformed_value', 'recordedDate'],
    [
      'a time without an offset',
      { ...condition, recordedDate: '2025-01-01T10:00:00' },
      'malformed_value',
      'recordedDate',
    ],
    ['a thirteenth month', born('1950-13-01'), 'malformed_value', 'birthDate'],
    ['a date as people write it', born('03/01/1950'), 'malformed_value', 'birthDate'],
    ['a day without its month', born('1950-00-01'), 'malformed_value', 'birthDate'],
    ['a birth in 1650', born('1650-01-01'), 'implausible_value', 'birthDate'],
    ['a birth after the row', born('2031-01-01'), 'implausible_value', 'birthDate'],
    ['no currency', payment({ value: 12, currency: 'XXX' }), 'unknown_code', 'payment.amount.currency'],
    [
      'a filler for an amount',
      payment({ value: -99_999_999.99, currency: 'USD' }),
      'implausible_value',
      'payment.amount.value',
    ],
    [
      'a number beyond all',
      JSON.parse(JSON.stringify(payment({ value: 77 })).replace('"value":77}', '"value":1e999}')),
      'malformed_value',
      'payment.amount.value',
    ],
    ['half a character', { ...good, name: [{ family: '\ud800' }] }, 'malformed_value', 'name.0.family'],
    ['a blank text', { ...good, name: [{ family: ' ' }] }, 'malformed_value', 'name.0.family'],
    ['an empty text', { ...good, name: [{ family: '' }] }, 'empty_value', 'name.0.family'],
    ['an empty list', { ...good, name: [] }, 'empty_value', 'name'],
    ['an empty object', { ...good, name: [{}] }, 'empty_value', 'name.0'],
    ['null', { ...good, active: null }, 'empty_value', 'active'],
    ['null in a list', { ...good, name: [null] }, 'empty_value', 'name.0'],
    [
      'a text of a million characters',
      { ...good, name: [{ family: 'x'.repeat(1_000_000) }] },
      'text_too_long',
      'name.0.family',
    ],
    [
      'two values of a choice',
      { ...condition, onsetDateTime: '2020', onsetString: 'in 2020' },
      'too_many_values',
      'onsetString',
    ],
    ['a code of no list', { ...good, gender: 'woman' }, 'unknown_code', 'gender'],
    ['a code with a blank at its end', { ...good, gender: 'female ' }, 'malformed_value', 'gender'],
    [
      'a reference to another type',
      { ...condition, subject: { reference: 'Coverage/c' } },
      'other_value',
      'subject.reference',
    ],
    [
      'a reference to what is not contained',
      { ...condition, subject: { reference: '#p' } },
      'other_value',
      'subject.reference',
    ],
    [
      'a contained resource of no type',
      { ...condition, contained: [{ resourceType: 'Patients' }] },
      'other_value',
      'contained.0.resourceType',
    ],
    [
      'an extension of nothing',
      { ...good, extension: [{ url: 'http://example.org/x' }] },
      'missing_element',
      'extension.0',
    ],
    ['a companion of an object', { ...condition, _code: {} }, 'unknown_element', '_code'],
  ])('has %s', (_name, resource, faultCode, element) => {
    expect(firstFault(resource as Json)).toEqual([faultCode, element]);
  });

  it('is checked without an end of the stack, however deep', () => {
    const deep = structureFaults({ ...good, extension: [nested(10_000)] });
    expect(deep.map((fault) => fault.code)).toEqual(['too_deep']);
    expect(deep[0]?.element.split('.').length).toBeLessThan(50);
    expect(structureFaults({ ...good, extension: [nested(10)] })).toEqual([]);
  });

  it('has no more elements than any record', () => {
    const name = Array.from({ length: 100_001 }, () => ({ family: 'A' }));
    expect(structureFaults({ ...good, name }).map((fault) => fault.code)).toEqual(['too_many_elements']);
  });

  it('tells ten faults at most, and no value', () => {
    const name = Array.from({ length: 50 }, () => ({ family: 'Sampleton', given: 'Ada' }));
    const faults = structureFaults({ ...good, name });
    expect(faults).toHaveLength(10);
    expect(JSON.stringify(faults)).not.toMatch(/Sampleton|Ada/);
  });

  it.each([
    '1956',
    '1956-07',
    '1956-07-03',
    '1956-00-00',
    '1956-07-00',
  ])('takes the birth date %s', (date) => {
    expect(structureFaults(born(date))).toEqual([]);
  });

  it('takes a primitive that only says why it has no value', () => {
    const extension = [
      { url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' },
    ];
    const name = [{ given: [null], _given: [{ extension }], _family: { extension } }];
    expect(structureFaults({ ...good, name, _birthDate: { extension } })).toEqual([]);
  });
});

describe('a resource that claims a profile', () => {
  const faultsOf = (resource: Json) => profileFaults(resource).map((fault) => [fault.code, fault.element]);
  it.each([
    ['a missing element', { ...condition, code: undefined }, 'missing_element', 'code'],
    [
      'no category of the profile',
      { ...condition, category: [{ text: 'problem' }] },
      'missing_element',
      'category',
    ],
    [
      'a missing element of an element',
      { ...good, identifier: [{ system: 'urn:x' }] },
      'missing_element',
      'identifier.0.value',
    ],
    ['another constant', { ...claim('p1', 'c1'), type: code('claim-type', 'oral') }, 'other_value', 'type'],
    [
      'a code of its value set',
      { ...coverage('p1', 'c1'), relationship: { text: 'self' } },
      'unknown_code',
      'relationship',
    ],
    [
      'an extension of the profile without its parts',
      {
        ...good,
        meta: { profile: [`${usCore}/us-core-patient|6.1.0`] },
        extension: [{ url: `${usCore}/us-core-race` }],
      },
      'missing_element',
      'extension.0.extension',
    ],
    [
      'a value of another type than its extension has',
      {
        ...{ ...good, meta: { profile: [`${usCore}/us-core-patient|6.1.0`] } },
        extension: [{ url: `${usCore}/us-core-birthsex`, valueString: 'F' }],
      },
      'wrong_type',
      'extension.0.valueString',
    ],
  ])('lacks for it %s', (_name, resource, faultCode, element) => {
    expect(faultsOf(JSON.parse(JSON.stringify(resource)))[0]).toEqual([faultCode, element]);
  });

  it('names the profile in what it expects', () => {
    expect(profileFaults({ ...condition, code: undefined })[0]?.expected).toBe(
      'at least 1 code, by us-core-condition-problems-health-concerns|6.1.0',
    );
  });

  it('may claim any version where it names none', () => {
    const meta = {
      ...good.meta,
      profile: ['http://hl7.org/fhir/us/carin-bb/StructureDefinition/C4BB-Patient'],
    };
    expect(profileFaults({ ...good, meta })).toEqual([]);
    expect(profileFaults({ ...good, meta, name: undefined })).not.toEqual([]);
  });

  it('is not held to a profile that nobody serves', () => {
    expect(
      profileFaults({ ...good, meta: { profile: ['http://example.org/other'] }, name: undefined }),
    ).toEqual([]);
  });
});

it('knows every profile that is served', () => {
  const known = Object.keys(definitions.profiles);
  const served = [
    ...patientAccessTypes.flatMap((type) => servedResource(type).supportedProfiles),
    ...directoryTypes.flatMap((type) => directoryResource(type).profiles.map((each) => `${each}|1.1.0`)),
  ];
  expect(served.filter((profile) => !known.includes(profile))).toEqual([]);
});

it('finds no fault in the synthetic members and the synthetic directory', () => {
  const population = populationMembers({ lob: 'MHBE', seed: 'validation', month: '2026-11-01' }, 3);
  const members = [...population, ...syntheticMembers('sandbox').slice(0, 2), ...payerCohort().slice(0, 2)];
  const rows = members.flatMap(({ resources }) =>
    resources.flatMap(({ json, fhirJson }) => [json, fhirJson ?? json].map((text) => JSON.parse(text))),
  );
  const directory = directoryTypes.flatMap((type) => [...directoryOf(type, { seed: 1, roles: 40 })]);
  const faults = [...rows, ...directory].flatMap((row) => [...structureFaults(row), ...profileFaults(row)]);
  expect(faults).toEqual([]);
  expect(rows.length).toBeGreaterThan(300);
});
