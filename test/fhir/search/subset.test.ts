import { describe, expect, it } from 'vitest';
import type { Selection } from '../../../lambdas/fhir/query/result-parameters.ts';
import { jsonMembers, jsonObject } from '../../../lambdas/fhir/search/json-member-texts.ts';
import { subset } from '../../../lambdas/fhir/search/subset.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';
import { bundleOf, claim, createWorld, household } from './world.ts';

const subsetted = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
  display: 'subsetted',
};

describe('the members of a JSON object', () => {
  it('are those JSON.parse reads, as they are written', () => {
    const objects = fc.dictionary(anyText({ maxLength: 6 }), fc.jsonValue(), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const members = jsonMembers(json);
        expect(members.map(({ name }) => name)).toEqual(Object.keys(JSON.parse(json)));
        expect(JSON.parse(jsonObject(members))).toEqual(JSON.parse(json));
        if (indent === undefined) expect(jsonObject(members)).toBe(json);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '',
    ' ',
    'null',
    '[]',
    '7',
    '"x"',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":"',
    '{a:1}',
    '{"a":[1}',
    '{"a":"\\',
  ])('can’t be read of %j', (json) => {
    expect(() => jsonMembers(json)).toThrow(SyntaxError);
  });
});

describe('a part of a resource', () => {
  const json =
    '{"resourceType":"ExplanationOfBenefit","id":"e1","meta":{"versionId":"2","profile":["p"]},"text":{"div":"<p>"},' +
    '"implicitRules":"r","contained":[{"resourceType":"Organization","id":"o"}],"extension":[],"modifierExtension":[{"url":"m"}],' +
    '"status":"active","_status":{"id":"s"},"type":{},"use":"claim","patient":{},"created":"2026","insurer":{"reference":"Organization/o"},' +
    '"provider":{},"outcome":"complete","insurance":[],"item":[{"net":{"value":100.00}}],"total":[{"amount":{"value":1e2}}],"payment":{"amount":{"value":0.10}}}';
  const namesOf = (text: string) => Object.keys(JSON.parse(text));
  const mandatory = [
    'status',
    '_status',
    'type',
    'use',
    'patient',
    'created',
    'insurer',
    'provider',
    'outcome',
    'insurance',
  ];
  const always = ['resourceType', 'id', 'meta', 'implicitRules', 'modifierExtension'];
  const all = namesOf(json);

  it.each<[string, Selection, readonly string[]]>([
    ['_summary=true', { summary: 'true' }, [...always, ...mandatory, 'total']],
    ['_summary=text', { summary: 'text' }, [...always, ...mandatory, 'text']],
    ['_summary=data', { summary: 'data' }, all.filter((name) => name !== 'text')],
    ['_elements=item', { summary: 'false', elements: ['item'] }, [...always, ...mandatory, 'item']],
    ['_elements=nothing', { summary: 'false', elements: ['nothing'] }, [...always, ...mandatory]],
    [
      '_elements=contained',
      { summary: 'false', elements: ['contained'] },
      [...always, ...mandatory, 'contained'],
    ],
  ])('by %s has what was asked, what must be there, and a mark', (_what, selection, names) => {
    const text = subset(json, 'ExplanationOfBenefit', selection);
    expect(namesOf(text).sort()).toEqual([...names].sort());
    expect(JSON.parse(text).meta).toEqual({ versionId: '2', profile: ['p'], tag: [subsetted] });
  });

  it('keeps each number as it is written', () => {
    const text = subset(json, 'ExplanationOfBenefit', {
      summary: 'false',
      elements: ['item', 'total', 'payment'],
    });
    expect(text).toContain('"value":100.00');
    expect(text).toContain('"value":1e2');
    expect(text).toContain('"value":0.10');
  });

  it('is the very text where all of it is asked for', () => {
    expect(subset(json, 'ExplanationOfBenefit', { summary: 'false' })).toBe(json);
  });

  it('keeps contained resources that something kept points to', () => {
    const pointing = json.replace('"provider":{}', '"provider":{"reference": "#o"}');
    const kept = (text: string) => namesOf(subset(text, 'ExplanationOfBenefit', { summary: 'true' }));
    expect(kept(pointing)).toContain('contained');
    expect(kept(pointing.replace('"reference": "#o"', '"reference" :"#o"'))).toContain('contained');
    expect(kept(pointing.replace('"reference": "#o"', '"reference":"#o"'))).toContain('contained');
    expect(kept(json)).not.toContain('contained');
  });

  it('keeps each type of a choice, and what goes with a primitive', () => {
    const patient =
      '{"resourceType":"Patient","id":"p","deceasedBoolean":false,"birthDate":"1960","_birthDate":{},"maritalStatus":{}}';
    expect(namesOf(subset(patient, 'Patient', { summary: 'false', elements: ['birthDate'] }))).toEqual([
      'resourceType',
      'id',
      'deceasedBoolean',
      'birthDate',
      '_birthDate',
      'meta',
    ]);
    expect(namesOf(subset(patient, 'Patient', { summary: 'true' }))).not.toContain('maritalStatus');
  });

  it.each([
    ['{"resourceType":"Patient"}', [subsetted]],
    ['{"resourceType":"Patient","meta":{}}', [subsetted]],
    ['{"resourceType":"Patient","meta":{"tag":[]}}', [subsetted]],
    ['{"resourceType":"Patient","meta":{"tag":[{"code":"a"}]}}', [{ code: 'a' }, subsetted]],
    ['{"resourceType":"Patient","meta":{"tag":[{"code":"SUBSETTED"}]}}', [subsetted]],
  ])('is marked once: %s', (text, tags) => {
    const part = subset(text, 'Patient', { summary: 'data' });
    expect(JSON.parse(part).meta.tag).toEqual(tags);
    expect(part.split('"tag"')).toHaveLength(2);
  });

  it('is what a search answers, of included resources too by _summary, not by _elements', async () => {
    const { search } = createWorld([...household, claim('e1', { item: [{ sequence: 1 }] })]);
    const sent = async (query: string) => {
      const answer = await search('ExplanationOfBenefit', `_include=ExplanationOfBenefit:patient&${query}`);
      return (bundleOf(answer).entry ?? []).map(({ resource }) => [
        'item' in resource || 'birthDate' in resource,
        JSON.stringify(resource.meta).includes('SUBSETTED'),
      ]);
    };
    expect(await sent('_elements=status')).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(await sent('_summary=true')).toEqual([
      [false, true],
      [true, true],
    ]);
    expect(await sent('_summary=data')).toEqual([
      [true, true],
      [true, true],
    ]);
  });
});
