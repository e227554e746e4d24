import { describe, expect, it } from 'vitest';
import {
  connectedAppsFormToken,
  secretCookie,
  secretOf,
} from '../../../lambdas/authorization/authorize/connected-apps-session.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';

const secret = 'a'.repeat(43);

describe('the secret a browser holds', () => {
  it.each([
    ['session', 'Strict'],
    ['browser', 'Strict'],
    // Lax, since the authorization endpoint reads it and members get there by a link of the application.
    ['sign-in', 'Lax'],
  ] as const)('of a %s goes along as %s', (kind, sameSite) => {
    expect(secretCookie(kind, 'DSNP', secret, 60)).toBe(
      `__Host-member-${kind}-dsnp=${secret}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=60`,
    );
  });

  it('is read where it is one of ours, of this LOB', () => {
    const cookies = (name: string, value: string) => new Map([[name, value]]);
    expect(secretOf(cookies('__Host-member-session-dsnp', secret), 'session', 'DSNP')).toBe(secret);
    for (const value of [`${secret}a`, 'short', `${secret}\n`, ''])
      expect(secretOf(cookies('__Host-member-session-dsnp', value), 'session', 'DSNP')).toBeUndefined();
    expect(secretOf(cookies('__Host-member-session-mapd', secret), 'session', 'DSNP')).toBeUndefined();
    expect(secretOf(new Map(), 'session', 'DSNP')).toBeUndefined();
  });

  it('makes form tokens of its own: none is another session’s, and none is the secret', () => {
    const [one, two] = [secret, 'b'.repeat(43)].map((each) => connectedAppsFormToken(each, digests));
    expect(one).not.toBe(two);
    expect(one).not.toContain(secret);
  });
});
