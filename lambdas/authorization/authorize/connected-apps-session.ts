/** Sessions at the connected apps: cookie, lifetime, and the token of the page's forms. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Digests } from '../../platform/kernel/digests.ts';

/** Seconds that a session at the connected apps lasts; activity does not extend it. */
export const connectedAppsSessionSeconds = 900;
/** Seconds that a browser stays known after a right verification code. */
export const knownBrowserSeconds = 180 * 24 * 60 * 60;

/** Kinds of cookies: a session at the connected apps, a known browser, and an SSO session (`sign-in`). */
type Kind = 'session' | 'browser' | 'sign-in';

const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the secret in this browser's cookie of a LOB.
 *
 * @returns undefined without a well-formed cookie.
 */
export function secretOf(
  cookies: ReadonlyMap<string, string>,
  kind: Kind,
  lob: LineOfBusiness,
): string | undefined {
  const secret = cookies.get(cookieName(kind, lob));
  return secret !== undefined && secretPattern.test(secret) ? secret : undefined;
}

/** ID of a session in the table: the SHA-256 of its secret. */
export function connectedAppsSessionId(secret: string, digests: Digests): string {
  return digests.sha256Hex(secret);
}

/** Value of the hidden field in a session's forms. */
export function connectedAppsFormToken(secret: string, digests: Digests): string {
  return digests.sha256Base64Url(`session form ${secret}`);
}

/**
 * The cookie of a secret. `SameSite=Strict` for a session and a known browser, which are read only after a link from our own pages. `Lax`
 * for an SSO session, which is read when an application's link leads to the authorization endpoint.
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
