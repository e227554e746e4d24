import { describe, expect, it } from 'vitest';
import {
  fromAttributeMap,
  fromAttributeValue,
  toAttributeMap,
  toAttributeValue,
} from '../../../lambdas/platform/table/attribute-values.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';

const stored = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe('the codec of stored values', () => {
  it('returns every value it wrote, through JSON', () => {
    fc.assert(
      fc.property(stored, (value) => {
        const wire = JSON.parse(JSON.stringify(toAttributeValue(value)));
        expect(fromAttributeValue(wire)).toEqual(value);
      }),
    );
  });

  it('leaves members out that are undefined, at any depth', () => {
    const map = toAttributeMap({ a: undefined, b: { c: undefined, d: 1 } });
    expect(map).toEqual({ b: { M: { d: { N: '1' } } } });
  });

  it('writes bytes as base64, and reads those the SDK has read already', () => {
    const bytes = new Uint8Array([0x1f, 0x8b, 0xff, 0]);
    expect(JSON.stringify(toAttributeMap({ gz: bytes }))).toBe('{"gz":{"B":"H4v/AA=="}}');
    // A view of a larger buffer, as Node's own calls return.
    expect(JSON.stringify(toAttributeValue(Buffer.from([1, 2, 3]).subarray(1)))).toBe('{"B":"AgM="}');
    for (const form of ['H4v/AA==', bytes]) expect(fromAttributeValue({ B: form })).toEqual(bytes);
  });

  it('keeps a member named __proto__ a member', () => {
    const record = JSON.parse('{"__proto__":{"polluted":true}}');
    const read = fromAttributeMap(JSON.parse(JSON.stringify(toAttributeMap(record))));
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect('polluted' in read).toBe(false);
  });

  it.each([
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a date', new Date(0)],
    ['a set', new Set(['a'])],
    ['a function', () => 1],
    ['an undefined entry of an array', [undefined]],
    ['a big integer', 1n],
  ])('refuses %s instead of storing something near it', (_what, value) => {
    expect(() => toAttributeValue(value)).toThrow(TypeError);
  });

  it('refuses a form this service never writes', () => {
    expect(() => fromAttributeValue({ SS: ['a'] } as never)).toThrow(TypeError);
  });
});
