import { describe, expect, it } from 'vitest';
import { idTokenFault } from '../../../lambdas/authorization/identity-provider/id-token-claims.ts';

const base64Url = (text: string) => Buffer.from(text).toString('base64url');
const claims = { sub: 'subject-1', exp: 1_800_000_300, iat: 1_800_000_000 };
const token = (payload = JSON.stringify(claims), header = '{"alg":"RS256"}') =>
  `${base64Url(header)}.${base64Url(payload)}.signature`;

describe('an id token', () => {
  it('has no fault with one of each claim, and the client as the party it was issued to', () => {
    expect(idTokenFault(token(), claims, 'plan')).toBeUndefined();
    expect(
      idTokenFault(token(), { ...claims, azp: 'plan', auth_time: 1_799_999_999.5 }, 'plan'),
    ).toBeUndefined();
  });

  it.each([
    ['a claim twice', token('{"sub":"subject-1","sub":"subject-2"}')],
    ['a member of a claim twice', token('{"sub":"subject-1","address":{"locality":"a","locality":"b"}}')],
    ['a header parameter twice', token(undefined, '{"alg":"RS256","kid":"a","kid":"b"}')],
  ])('is refused with %s', (_what, text) => {
    expect(idTokenFault(text, claims, 'plan')).toBe('claim_repeated');
  });
});
