/** Sessions at the connected apps: cookie, lifetime, and the token of the page's forms. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Digests } from '../../platform/kernel/digests.ts';

/** Seconds of a session at the connected apps, whatever is done in it. */
export const sessionSeconds = 900;
/** Seconds for which a browser is known after a right code. */
export const knownBrowserSeconds = 180 * 24 * 60 * 60;

/** `session`: at the connected apps. `browser`: a known one. `sign-in`: one that is kept. */
type Kind = 'session' | 'browser' | 'sign-in';

const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/** The secret a browser holds for a LOB. */
export function secretOf(
  cookies: ReadonlyMap<string, string>,
  kind: Kind,
  lob: LineOfBusiness,
): string | undefined {
  const secret = cookies.get(cookieName(kind, lob));
  return secret !== undefined && secretPattern.test(secret) ? secret : undefined;
}

/** Id of a session in the table: the digest of its secret. */
export function memberSessionId(secret: string, digests: Digests): string {
  return digests.sha256Hex(secret);
}

/** The hidden field of a session's forms. */
export function sessionFormToken(secret: string, digests: Digests): string {
  return digests.sha256Base64Url(`session form ${secret}`);
}

/**
 * `Strict` where our own pages alone lead to what reads the cookie: the connected apps, and the sign-in form that asks whether
 * the browser is known. A kept sign-in is read when an application's link leads to the authorization endpoint, so it is `Lax`.
 */
export function secretCookie(
  kind: Kind,
  lob: LineOfBusiness,
  secret: string,
  maxAgeSeconds: number,
  sameSite = kind === 'sign-in' ? 'Lax' : 'Strict',
): string {
  return `${cookieName(kind, lob)}=${secret}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeSeconds}`;
}

function cookieName(kind: Kind, lob: LineOfBusiness): string {
  return `__Host-member-${kind}-${lob.toLowerCase()}`;
}
