import { describe, expect, it } from 'vitest';
import { localName, mayNameOneOf } from '../../../lambdas/fhir/labels/local-names.ts';
import { maskedJson } from '../../../lambdas/fhir/labels/masked-references.ts';
import fc from '../../support/property.ts';

const masked = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'masked' }],
};
const withheld = new Set(['Condition/123', 'Binary/b1']);
const mask = (resource: unknown) => JSON.parse(maskedJson(JSON.stringify(resource), withheld));

describe('a name in a reference', () => {
  it.each([
    ['Condition/123', 'Condition/123'],
    ['Condition/123/_history/2', 'Condition/123'],
    ['https://host.example/fhir/R4/Condition/123', 'Condition/123'],
    ['https://host.example/Base/Condition/123?x=1', 'Condition/123'],
    ['Condition/123#part', 'Condition/123'],
    ['#contained', '#contained'],
    ['urn:uuid:3fb3a1b5-0000-4000-8000-000000000000', 'urn:uuid:3fb3a1b5-0000-4000-8000-000000000000'],
  ])('is read of %s', (reference, name) => {
    expect(localName(reference)).toBe(name);
    const names = new Set([name]);
    expect(mayNameOneOf(JSON.stringify({ reference }), names)).toBe(name.startsWith('Condition'));
  });

  it('is looked for in a text with escapes by reading it', () => {
    expect(mayNameOneOf('{"reference":"Condition\\/123"}', withheld)).toBe(true);
    expect(mayNameOneOf('{"reference":"\\u0043ondition/123"}', withheld)).toBe(true);
    expect(mayNameOneOf('{"reference":"Condition/1234"}', withheld)).toBe(false);
  });
});

describe('a text that may name a resource', () => {
  const anywhere = /\b(?=([A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}))/g;
  const longId = 'x'.repeat(64);
  const names = new Set(['Condition/1', 'Patient/a', `Patient/${longId}`, 'Goal/1-a']);
  const parts = ['Condition', 'Patient', 'Goal', '/', '1', 'a', '-', '.', '"', ' ', '_', longId];

  it('is each in which a pattern finds a name', () => {
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((each) => each.join(''));
    fc.assert(
      fc.property(text, (json) => {
        const isNamed = [...json.matchAll(anywhere)].some(([, name = '']) => names.has(name));
        expect(!isNamed || mayNameOneOf(json, names)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a resource that refers to a withheld one', () => {
  it('says neither its name nor what it is called', () => {
    const plan = {
      resourceType: 'CarePlan',
      text: { status: 'generated', div: '<div>Alcohol dependence</div>' },
      title: 'Plan for alcohol dependence',
      description: 'Rest',
      supportingInfo: [
        { reference: 'Condition/123', display: 'Alcohol dependence', identifier: { value: 'ALC-1' } },
        { reference: 'Condition/9', display: 'Hypertension' },
      ],
      activity: [{ detail: { code: { text: 'Talk about Alcohol Dependence', coding: [{ code: 'x' }] } } }],
      contained: [{ resourceType: 'Goal', id: 'g', addresses: [{ reference: 'Condition/123/_history/1' }] }],
    };
    expect(mask(plan)).toEqual({
      resourceType: 'CarePlan',
      _title: masked,
      description: 'Rest',
      supportingInfo: [masked, { reference: 'Condition/9', display: 'Hypertension' }],
      activity: [{ detail: { code: { _text: masked, coding: [{ code: 'x' }] } } }],
      contained: [{ resourceType: 'Goal', id: 'g', addresses: [masked] }],
    });
  });

  it('has no address of a withheld document', () => {
    const attachment = { contentType: 'text/plain', url: 'Binary/b1' };
    expect(mask({ resourceType: 'DocumentReference', content: [{ attachment }] })).toEqual({
      resourceType: 'DocumentReference',
      content: [{ attachment: { contentType: 'text/plain', _url: masked } }],
    });
  });

  it('loses it as a target, if it is a Provenance', () => {
    const target = [{ reference: 'Condition/123', display: 'Alcohol dependence' }, { reference: 'Goal/1' }];
    expect(mask({ resourceType: 'Provenance', target })).toEqual({
      resourceType: 'Provenance',
      target: [{ reference: 'Goal/1' }],
    });
    expect(mask({ resourceType: 'Provenance', target: [target[0]] }).target).toEqual([masked]);
  });

  it('keeps its text, byte by byte, if it names none', () => {
    const json = '{ "resourceType":"Goal", "subject": {"reference":"Patient/1"} }';
    expect(maskedJson(json, withheld)).toBe(json);
    expect(maskedJson('{"x":"\\u0041"}', withheld)).toBe('{"x":"A"}');
  });
});
