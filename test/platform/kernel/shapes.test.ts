import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as s from '../../../lambdas/platform/kernel/shapes.ts';
import fc from '../../support/property.ts';

/** Shapes, each with the Zod schema that accepts the same values. */
const pairs: Readonly<Record<string, readonly [s.Shape<unknown>, z.ZodMiniType]>> = {
  text: [s.text, z.string()],
  number: [s.finite, z.number()],
  integer: [s.integer, z.int()],
  truth: [s.truth, z.boolean()],
  'one of': [s.oneOf(['a', 1]), z.union([z.literal('a'), z.literal(1)])],
  matching: [s.matching(/^a/), z.string().check(z.regex(/^a/))],
  optional: [s.maybe(s.text), z.optional(z.string())],
  either: [s.either(s.text, s.finite), z.union([z.string(), z.number()])],
  'list of': [s.arrayOf(s.text), z.array(z.string())],
  'record of': [s.mapOf(s.finite), z.record(z.string(), z.number())],
  object: [
    s.object({ a: s.text, b: s.maybe(s.finite) }),
    z.object({ a: z.string(), b: z.optional(z.number()) }),
  ],
  exactly: [s.exactly({ a: s.text }), z.strictObject({ a: z.string() })],
  'loose object': [s.looseObject({ a: s.text }), z.looseObject({ a: z.string() })],
  nested: [
    s.object({ a: s.arrayOf(s.object({ b: s.maybe(s.text) })) }),
    z.object({ a: z.array(z.object({ b: z.optional(z.string()) })) }),
  ],
};

const scalar = fc.oneof(
  fc.constantFrom('a', 'ab', '', 'b', 0, 1, 1.5, 2 ** 53, -1, Number.NaN, Number.POSITIVE_INFINITY),
  fc.constantFrom(true, false, null, undefined),
);
const list = fc.array(scalar, { maxLength: 3 });
const record = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(scalar, list), { maxKeys: 3 });
const nested = fc.record({ a: fc.array(record, { maxLength: 2 }) });
const anything = fc.oneof(scalar, list, record, nested);

describe('a shape', () => {
  it.each(Object.entries(pairs))('reads what a schema of Zod reads: %s', (_, [shape, schema]) => {
    fc.assert(
      fc.property(anything, (value) => {
        const expected = schema.safeParse(value);
        const read = shape(value);
        expect(read !== s.wrong).toBe(expected.success);
        if (expected.success) expect(read).toEqual(expected.data);
      }),
      { numRuns: 300 },
    );
  });

  it('reads JSON in a text', () => {
    const shape = s.jsonText(s.object({ a: s.integer }));
    expect(['{"a":1,"b":2}', '{"a":"1"}', '{', 7].map((text) => s.safeParse(shape, text))).toEqual([
      { a: 1 },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('tells nothing of a value that it refuses', () => {
    expect(() => s.parse(s.object({ a: s.integer }), { a: 'a member’s name' })).toThrow(
      new TypeError('a value has another shape than expected'),
    );
  });

  it('takes no member from the prototype of what it reads', () => {
    const read = s.safeParse(s.object({ a: s.text }), JSON.parse('{"__proto__":{"a":"b"}}'));
    expect(read).toBeUndefined();
  });
});
