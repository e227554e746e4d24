import { describe, expect, it } from 'vitest';
import { isReceivedId } from '../../../lambdas/catalog/payer/received-resources.ts';
import { translateRow } from '../../../lambdas/payer-exchange/receive/translate-row.ts';
import { translatedId } from '../../../lambdas/payer-exchange/receive/translation-context.ts';
import { type NdjsonLine, ndjsonLines } from '../../../lambdas/platform/kernel/ndjson-lines.ts';
import fc from '../../support/property.ts';
import { context, translate, translatedResource } from './translation-world.ts';

const base = 'https://old.example/fhir';
const idOf = (type: string, id: string) => translatedId(context, type, id);
const lab = {
  resourceType: 'Observation',
  id: 'o-1',
  meta: {
    versionId: '17',
    lastUpdated: '2026-03-04T05:06:07.890-05:00',
    source: '#internal',
    profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-observation-lab'],
    security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'MH' }],
  },
  identifier: [{ system: 'urn:old', value: 'L-1' }],
  subject: { reference: 'Patient/a', display: 'Ada' },
};
const refers = (reference: string) => translatedResource({ ...lab, encounter: { reference } }).encounter;

describe('a row of another payer', () => {
  it('gets an ID, source and version of its own, and keeps its time, profile, labels and identifiers', () => {
    const answer = translate(lab);
    expect(answer).toMatchObject({ kind: 'row', type: 'Observation', patientId: 'p1' });
    const { meta, ...resource } = translatedResource(lab);
    expect(resource).toEqual({
      resourceType: 'Observation',
      id: idOf('Observation', 'o-1'),
      identifier: lab.identifier,
      subject: { reference: 'Patient/p1', display: 'Ada' },
    });
    const { versionId: _theirs, ...theirs } = lab.meta;
    expect(meta).toEqual({ ...theirs, source: base, versionId: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(isReceivedId(resource.id)).toBe(true);
  });

  it('has another version only with other content', () => {
    const { meta } = translatedResource(lab);
    const renumbered = { ...lab, meta: { ...lab.meta, versionId: '18' } };
    expect(translatedResource(renumbered).meta).toEqual(meta);
    expect(translatedResource({ ...lab, status: 'final' }).meta.versionId).not.toBe(meta.versionId);
    const at = (lastUpdated: string) => translatedResource({ ...lab, meta: { lastUpdated } }).meta;
    expect(at('2026-01-01T00:00:00Z').versionId).not.toBe(at('2026-01-02T00:00:00Z').versionId);
  });

  it('keeps decimals as they are written', () => {
    const text = JSON.stringify(lab).replace(/}$/, ',"valueQuantity":{"value":7.10,"unit":"%"}}');
    expect(translate(text)).toMatchObject({ json: expect.stringContaining('"value":7.10') });
  });

  it('without a time of its last change takes that of the export', () => {
    for (const meta of [undefined, {}, { lastUpdated: '2026-03' }]) {
      expect(translatedResource({ ...lab, meta }).meta.lastUpdated).toBe(context.transactionTime);
    }
  });

  it.each([
    ['relative', 'Encounter/e1'],
    ['absolute', `${base}/Encounter/e1`],
    ['versioned', 'Encounter/e1/_history/3'],
    ['absolute and versioned', `${base}/Encounter/e1/_history/3`],
  ])('refers to what was received with it, by a reference that was %s', (_form, reference) => {
    expect(refers(reference)).toEqual({ reference: `Encounter/${idOf('Encounter', 'e1')}` });
  });

  it.each([
    ['to a type that is not served', 'Account/1', `${base}/Account/1`],
    [
      'to another server',
      'https://third.example/fhir/Encounter/e1',
      'https://third.example/fhir/Encounter/e1',
    ],
    ['to a UUID', 'urn:uuid:0c3151bd', 'urn:uuid:0c3151bd'],
    ['by a search', 'Encounter?identifier=1', `${base}/Encounter?identifier=1`],
    ['with an ID that is none', 'Encounter/a_b', `${base}/Encounter/a_b`],
  ])('keeps a reference %s as a logical one', (_what, reference, value) => {
    expect(refers(reference)).toEqual({ identifier: { system: 'urn:ietf:rfc:3986', value } });
    const identifier = { system: 'urn:old', value: '1' };
    const { encounter } = translatedResource({ ...lab, encounter: { reference, identifier, display: 'x' } });
    expect(encounter).toEqual({ identifier, display: 'x' });
  });

  it('keeps references to what it contains, and translates those inside', () => {
    const contained = [{ resourceType: 'Specimen', id: 's', subject: { reference: 'Patient/a' } }];
    const resource = translatedResource({ ...lab, contained, specimen: { reference: '#s' } });
    expect(resource).toMatchObject({
      contained: [{ id: 's', subject: { reference: 'Patient/p1' } }],
      specimen: { reference: '#s' },
    });
  });

  it('names documents that came with it, and no others of this server', () => {
    const content = ['Binary/b1', `${base}/Binary/b1`, 'https://files.example/1.pdf'].map((url) => ({
      attachment: { url },
    }));
    const row = { ...lab, resourceType: 'DocumentReference', content };
    const urls = translatedResource(row).content.map(
      ({ attachment }: { attachment: { url: string } }) => attachment.url,
    );
    const own = `Binary/${idOf('Binary', 'b1')}`;
    expect(urls).toEqual([own, own, 'https://files.example/1.pdf']);
  });

  it.each([
    ['<div xmlns="http://www.w3.org/1999/xhtml"><p>A &lt; B <b style="color: red">x</b></p></div>', true],
    ['<div><a href="https://x.example/">x</a><img src="#i" alt=""/><br/></div>', true],
    ['<div><script>alert(1)</script></div>', false],
    ['<div onclick="x">y</div>', false],
    ['<div><a href="javascript:x">y</a></div>', false],
    ['<div style="background: url(x)">y</div>', false],
    ['<div><form action="https://x.example"></form></div>', false],
    ['<div><!-- x --></div>', false],
  ])('keeps the narrative %s: %s', (div, isKept) => {
    const text = { status: 'generated', div };
    const resource = translatedResource({ ...lab, text, contained: [{ resourceType: 'Specimen', text }] });
    const kept = isKept ? text : undefined;
    expect([resource.text, resource.contained[0].text]).toEqual([kept, kept]);
  });

  it('is skipped if it is the payer’s Patient or Group', () => {
    for (const resourceType of ['Patient', 'Group']) {
      expect(translate({ resourceType, id: 'x' })).toEqual({ kind: 'skipped' });
    }
  });

  it('of a shared type belongs to nobody', () => {
    const row = { resourceType: 'PractitionerRole', id: 'r', practitioner: { reference: 'Practitioner/1' } };
    expect(translate(row)).toMatchObject({ kind: 'row', patientId: undefined });
    expect(translate({ ...row, extension: [{ valueReference: { reference: 'Patient/a' } }] })).toMatchObject({
      code: 'not_this_member',
    });
  });

  it.each([
    ['a Patient who was not matched', { subject: { reference: 'Patient/c' } }],
    ['a Patient of another server', { subject: { reference: 'https://third.example/fhir/Patient/a' } }],
    ['two Patients', { focus: [{ reference: 'Patient/b' }] }],
    ['a second Patient who was not matched', { performer: [{ reference: `${base}/Patient/z/_history/1` }] }],
    ['a second Patient below an extension', { extension: [{ valueReference: { reference: 'Patient/b' } }] }],
    ['a Patient by a search', { focus: [{ reference: 'Patient?identifier=1' }] }],
    ['a Patient by a UUID', { focus: [{ reference: 'urn:uuid:1', type: 'Patient' }] }],
    ['a contained Patient', { contained: [{ resourceType: 'Patient', id: 'x' }] }],
  ])('is rejected with %s', (_who, elements) => {
    expect(translate({ ...lab, ...elements })).toEqual({
      ...{ kind: 'reject', line: 3, code: 'not_this_member' },
      resource: 'Observation/o-1',
    });
  });

  it.each([
    ['no object', '[1]', 'not_json'],
    ['a cut line', '{"resourceType":"Obs', 'not_json'],
    ['a control character', JSON.stringify({ ...lab, status: '\u0000' }), 'control_character'],
    ['a name twice', '{"resourceType":"Observation","id":"1","id":"2"}', 'duplicate_name'],
    [
      '50,000 levels',
      `{"resourceType":"Observation","id":"1","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      'too_deep',
    ],
    ['a type that is not served', { ...lab, resourceType: 'Account' }, 'unserved_type'],
    ['a type that is none', { ...lab, resourceType: ['Observation'] }, 'unserved_type'],
    ['no ID', { ...lab, id: 'a/b' }, 'no_id'],
    ['no Patient', { ...lab, subject: { display: 'Ada' } }, 'no_patient'],
    ['its Patient in another element', { ...lab, subject: {}, focus: [lab.subject] }, 'no_patient'],
  ])('is rejected with %s', (_what, row, code) => {
    expect(translate(row)).toMatchObject({ kind: 'reject', line: 3, code });
  });
});

describe('a stream of rows', () => {
  it('goes on after a line of any length, in bounded memory', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x61);
    async function* chunks() {
      yield new TextEncoder().encode(`${JSON.stringify(lab)}\n{"x":"`);
      for (let at = 0; at < 2_048; at += 1) yield chunk;
      yield new TextEncoder().encode(`"}\n\n${JSON.stringify(lab)}`);
    }
    const lines: NdjsonLine[] = [];
    let most = 0;
    for await (const line of ndjsonLines(chunks())) {
      lines.push(line);
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    }
    expect(lines.map((line) => [line.line, translateRow(line, context)])).toMatchObject([
      [1, { kind: 'row' }],
      [2, { kind: 'reject', code: 'row_too_long' }],
      [4, { kind: 'row' }],
    ]);
    expect(most).toBeLessThan(200_000_000);
  });
});

describe('any row', () => {
  const types = ['Patient', 'Encounter', 'Practitioner', 'Account', 'Group'];
  const reference = fc
    .tuple(
      fc.constantFrom('', `${base}/`, 'https://third.example/fhir/', 'Patient/'),
      fc.constantFrom(...types),
      fc.constantFrom('a', 'b', 'c', 'received-1', 'p1', 'a_b'),
      fc.constantFrom('', '/_history/1', '#x', '?y=1'),
    )
    .map((parts) => `${parts[0]}${parts[1]}/${parts[2]}${parts[3]}`);
  const element = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ reference }),
      fc.record(
        { reference, identifier: fc.record({ value: fc.string() }) },
        { requiredKeys: ['reference'] },
      ),
      fc.record({ url: reference }),
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('extension', 'valueReference', 'context', 'text'), tie('node')),
    ),
  })).node;
  const row = fc.record({
    resourceType: fc.constantFrom('Observation', 'Provenance', 'Organization', 'Binary'),
    id: fc.constantFrom('1', 'received-1', 'x'.repeat(64)),
    subject: fc.record({ reference }),
    target: fc.array(fc.record({ reference }), { maxLength: 2 }),
    focus: element,
    contained: fc.array(element, { maxLength: 2 }),
  });

  it('becomes the same text in any order of its members, and refers to received resources and its member alone', () => {
    let rows = 0;
    fc.assert(
      fc.property(row, (given) => {
        const answer = translate(given);
        expect(translate(reversed(given))).toEqual(answer);
        if (answer.kind !== 'row') return;
        rows += 1;
        expect(isReceivedId(answer.id)).toBe(true);
        for (const named of referencesOf(JSON.parse(answer.json))) {
          const [type = '', id = ''] = named.split('/');
          if (type === 'Patient') expect(id).toBe(answer.patientId);
          else if (!named.startsWith('#')) expect(isReceivedId(id)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(rows).toBeGreaterThan(50);
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, each]) => [name, reversed(each)]),
  );
}

function referencesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'reference' && typeof each === 'string' ? [each] : referencesOf(each),
  );
}
