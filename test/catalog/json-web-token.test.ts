import { describe, expect, it } from 'vitest';
import { isCanonicalBase64Url, repeatsMember } from '../../lambdas/catalog/oauth/json-web-token.ts';
import fc from '../support/property.ts';

describe('base64url', () => {
  it('is what an encoder writes, and nothing else a decoder takes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12, unit: fc.constantFrom(...'AQgwEIMBRhx_-+/= .') }), (text) => {
        const written = Buffer.from(text, 'base64url').toString('base64url');
        expect(isCanonicalBase64Url(text)).toBe(text === written);
      }),
      { numRuns: 2_000 },
    );
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
