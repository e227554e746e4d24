import { describe, expect, it } from 'vitest';
import { type Cursor, formatCursor, parseCursor } from '../../../lambdas/fhir/search/cursor.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';
import { claim, createWorld, entriesOf, linkOf, parametersOf, queryOf, sha256 } from './world.ts';

const owner = { clientId: 'client-1', patientId: 'p1', search: 'ExplanationOfBenefit' };
const cursor: Cursor = {
  at: 1_800_000_000_000,
  parameters: [
    ['patient', 'Patient/p1'],
    ['_count', '20'],
  ],
  after: { keys: [1_767_571_200_000], id: 'e7' },
};
/** Makes a cursor with a correct checksum, which anybody can do. */
function forged(content: unknown): string {
  const text = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString(
    'base64url',
  );
  const sum = sha256(JSON.stringify([owner.clientId, owner.patientId, owner.search, text])).slice(0, 16);
  return `${sum}${text}`;
}

describe('a cursor', () => {
  it('comes back as it was', () => {
    const keys = fc.array(fc.oneof(fc.integer(), fc.constant(null), anyText()), { maxLength: 5 });
    const cursors = fc.record({
      at: fc.maxSafeNat(),
      parameters: fc.array(fc.tuple(anyText(), anyText()), { maxLength: 5 }),
      after: fc.record({ keys, id: anyText() }),
    });
    fc.assert(
      fc.property(cursors, (each) => {
        expect(parseCursor(formatCursor(each, owner, sha256), owner, sha256)).toEqual(each);
      }),
    );
  });

  it('is short, and a part of an address without encoding', () => {
    const text = formatCursor(cursor, owner, sha256);
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(text.length).toBeLessThan(150);
  });

  it.each([
    { clientId: 'client-2' },
    { patientId: 'p2' },
    { search: 'Coverage' },
    { clientId: 'client-1","p1' },
    { clientId: '', patientId: 'client-1p1' },
  ])('is another’s for %j', (change) => {
    expect(parseCursor(formatCursor(cursor, owner, sha256), { ...owner, ...change }, sha256)).toBeUndefined();
  });

  it('is damaged by any other character', () => {
    const text = formatCursor(cursor, owner, sha256);
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'a' ? 'b' : 'a';
      expect(parseCursor(text.slice(0, at) + other + text.slice(at + 1), owner, sha256)).toBeUndefined();
    }
    expect(parseCursor(`${text}A`, owner, sha256)).toBeUndefined();
    expect(parseCursor(text.slice(0, -1), owner, sha256)).toBeUndefined();
    expect(parseCursor(`${text}=`, owner, sha256)).toBeUndefined();
    expect(parseCursor(` ${text}`, owner, sha256)).toBeUndefined();
  });

  it.each([
    '',
    'x',
    '0'.repeat(16),
    `${'0'.repeat(16)}e30`,
    'x'.repeat(1_000_000),
    '__proto__',
  ])('is not %j', (text) => {
    expect(parseCursor(text, owner, sha256)).toBeUndefined();
  });

  it('is not any text', () => {
    fc.assert(fc.property(anyText(), (text) => parseCursor(text, owner, sha256) === undefined));
  });

  it.each([
    '{',
    {},
    [],
    null,
    [1, [], [], 'e1', 'more'],
    ['1', [], [], 'e1'],
    [1.5, [], [], 'e1'],
    [1, ['patient'], [], 'e1'],
    [1, [1, 2], [], 'e1'],
    [1, {}, [], 'e1'],
    [1, [], [{}], 'e1'],
    [1, [], 'keys', 'e1'],
    [1, [], [], 7],
    [1, [], [], { toString: 'x' }],
  ])('that somebody made is read like any request: %j', (content) => {
    expect(parseCursor(forged(content), owner, sha256)).toBeUndefined();
  });

  it.each([
    [[1, ['patient:wrong', 'x'], [], 'e1'], 'modifier'],
    [[1, ['_count', 'x'], [], 'e1'], '_count'],
    [[1, ['_id', '\ud800'], [], 'e1'], '_cursor'],
    [[1, Array.from({ length: 200 }, () => 'x'), [], 'e1'], '_cursor'],
  ])('that somebody made opens nothing a query doesn’t: %j', async (content, named) => {
    const { search, state } = createWorld();
    const answer = await search('ExplanationOfBenefit', `_cursor=${forged(content)}`);
    expect(answer).toMatchObject({
      kind: 'invalid',
      issues: [{ diagnostics: expect.stringContaining(named) }],
    });
    expect(state.waits).toEqual([]);
  });

  it.each([
    [[Number.MAX_SAFE_INTEGER, ['service-date', 'ap2026'], [], '']],
    [[Number.MIN_SAFE_INTEGER, [], ['text', 7, null, 1e300], 'x'.repeat(1000)]],
    [[0, ['__proto__', '1', 'constructor', '2'], [null], '__proto__']],
  ])('that somebody made never makes an error: %j', async (content) => {
    const answer = await createWorld().search('ExplanationOfBenefit', `_cursor=${forged(content)}`);
    expect(answer.kind).toBe('bundle');
  });

  it.each([
    'json;\ud800',
    `json;${'x'.repeat(6000)}`,
  ])('comes with a _format that a link can hold', async (format) => {
    const { search } = createWorld([claim('e1'), claim('e2')]);
    const cursor = queryOf(linkOf(await search('ExplanationOfBenefit', '_count=1'), 'next') ?? '');
    const parameters: [string, string][] = [...parametersOf(cursor), ['_format', format]];
    expect((await search('ExplanationOfBenefit', '', { parameters })).kind).toBe('invalid');
  });

  it('carries the longest query there is, and is taken again', async () => {
    const { search } = createWorld([claim('e1'), claim('e2')]);
    const { length } = '_id:not=&_count=1';
    const answer = await search('ExplanationOfBenefit', `_id:not=${'x'.repeat(5000 - length)}&_count=1`);
    const next = linkOf(answer, 'next') ?? '';
    expect(next.length).toBeLessThan(7000);
    expect(entriesOf(await search('ExplanationOfBenefit', queryOf(next)))).toEqual([
      'match ExplanationOfBenefit/e2',
    ]);
  });
});
