import { describe, expect, it } from 'vitest';
import { jsonFault, repeatsMember } from '../../../lambdas/platform/kernel/json-faults.ts';
import fc from '../../support/property.ts';

describe('the faults of a JSON text', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '[{"x":{"b":[],"c":"}","b":{}}}]',
    '{"":0, "" : 1}',
  ])('are a name twice in an object: %s', (text) => {
    expect(jsonFault(text)).toBe('duplicate_name');
    expect(jsonFault(text, JSON.parse(text))).toBe('duplicate_name');
  });

  it.each([
    '{"family":"Sample\\u0000ton"}',
    '{"a\\u0001":1}',
    '["\\b"]',
    '"\\f"',
    '["\\\\\\u001F"]',
  ])('are a control character in a text: %s', (text) => {
    expect(jsonFault(text)).toBe('control_character');
    expect(jsonFault(text, JSON.parse(text))).toBe('control_character');
  });

  it.each([
    '{"a":{"a":[{"a":1},{"a":"a"}]},"b":"\\"a\\":1,\\"a\\":2"}',
    '["\\\\u0000","\\\\","tab\\tline\\r\\n"]',
    'null',
  ])('are none where each name stands once and texts are texts: %s', (text) => {
    expect(jsonFault(text)).toBeUndefined();
  });

  it('are none in whatever is written from values', () => {
    const plain = fc.string().map((text) => text.replaceAll(/\p{Cc}/gu, ' '));
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium', stringUnit: 'grapheme' }), plain, (value, name) => {
        const text = JSON.stringify({ [name]: value });
        const written = JSON.stringify(JSON.parse(text.replaceAll(/\\u00[01][0-9a-f]|\\[bf]/g, '-')));
        expect(jsonFault(written)).toBeUndefined();
        expect(jsonFault(written, JSON.parse(written))).toBeUndefined();
      }),
    );
  });

  it('are looked for as deep as a text can say', () => {
    const depth = 200_000;
    const text = `${'['.repeat(depth)}{"a":1,"a":2}${']'.repeat(depth)}`;
    expect(jsonFault(text)).toBe('duplicate_name');
    expect(jsonFault(text, JSON.parse(text))).toBe('duplicate_name');
  });
});

describe('a member of a JSON object', () => {
  it.each([
    ['{}', false],
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', false],
    ['{"a":"a","b":"a:\\"a\\":"}', false],
    ['{"a":1,"a":1}', true],
    ['{"a":1,"\\u0061":2}', true],
    ['{"b":[{"a":1,"c":{},"a":2}]}', true],
    ['{"a":{"x":1},"b":2,"a":3}', true],
    ['{"__proto__":1,"__proto__":2}', true],
    ['["a","a"]', false],
  ])('of %s stands twice: %s', (json, expected) => {
    expect(repeatsMember(json)).toBe(expected);
  });

  it('never stands twice in what JSON.stringify writes', () => {
    fc.assert(fc.property(fc.json(), (json) => !repeatsMember(json)));
  });
});
