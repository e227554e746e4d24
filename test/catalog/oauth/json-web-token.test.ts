import { describe, expect, it } from 'vitest';
import { isCanonicalBase64Url } from '../../../lambdas/catalog/oauth/json-web-token.ts';
import fc from '../../support/property.ts';

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
