import { describe, expect, it } from 'vitest';
import { totp } from '../../../lambdas/platform/runtime/totp.ts';

/**
 * The SHA-1 seed of RFC 6238 appendix B, "12345678901234567890". Its codes have eight digits, of which authenticator apps show the last
 * six.
 */
const seed = Buffer.from('12345678901234567890').toString('base64url');

describe('a time-based one-time password', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('is that of RFC 6238 at %s', (seconds, eightDigits) => {
    expect(totp.code(seed, Math.floor(seconds / 30))).toBe(eightDigits.slice(-6));
  });

  it('has a key of 160 bits in base32', () => {
    expect(totp.key(seed)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(totp.key(Buffer.alloc(32, 255).toString('base64url'))).toBe('7'.repeat(32));
    expect(() => totp.key('short')).toThrow();
  });
});
