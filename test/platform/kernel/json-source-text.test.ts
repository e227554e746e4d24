import { describe, expect, it } from 'vitest';
import { parseWithSourceNumbers } from '../../../lambdas/platform/kernel/json-source-text.ts';
import fc from '../../support/property.ts';

const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((each) => each.join(''));
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      digits(25).map((text) => `1${text}`),
      digits(3).map((text) => `2${text}`),
    ),
    fc.oneof(
      fc.constant(''),
      digits(25).map((text) => `.${text}`),
      digits(8).map((text) => `.0000${text}`),
    ),
    fc.constantFrom('', '', 'e5', 'E+10', 'e-7'),
  )
  .map((parts) => parts.join(''));

describe('a JSON text', () => {
  it.each([
    '7.10',
    '1.0',
    '-0',
    '1e3',
    '0.0000001',
    '12345678901234567890',
    '0.30',
    '100',
    '-1.5',
  ])('keeps the number %s as written', (written) => {
    for (const text of [written, `[${written}]`, `{"a":${written},"b":"x"}`]) {
      expect(JSON.stringify(parseWithSourceNumbers(text))).toBe(text);
    }
  });

  it('keeps any number as written, wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 3 }), fc.string(), (numbers, name) => {
        const text = `{"a":[${numbers.join(',')}],"b":{"c":${numbers[0]}},${JSON.stringify(`x${name}`)}:1}`;
        expect(JSON.stringify(parseWithSourceNumbers(text))).toBe(text);
        const spaced = `[ ${numbers.join(' , ')}\n]`;
        expect(JSON.stringify(parseWithSourceNumbers(spaced))).toBe(`[${numbers.join(',')}]`);
      }),
      { numRuns: 5_000 },
    );
  });
});
