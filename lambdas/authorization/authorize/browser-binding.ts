/** Binds an interaction to one browser by a cookie, against login CSRF. */

import type { Digests } from '../../platform/kernel/digests.ts';
import type { Random } from '../../platform/kernel/random.ts';

/**
 * Binding of an interaction to one browser. The browser has a secret in a cookie; the interaction's ID is the SHA-256 of the secret, and
 * forms contain another digest of it. A form from another site is refused: the request has no cookie, or the form not the cookie's digest.
 */
export interface BrowserBinding {
  /** Public name of the interaction in this browser. It is part of the cookie's name, so that two tabs can have an interaction each. */
  readonly handle: string;
  readonly secret: string;
}

const handlePattern = /^[A-Za-z0-9_-]{11}$/;
const secretPattern = /^[A-Za-z0-9_-]{43}$/;

export function createBinding(random: Random): BrowserBinding {
  return { handle: random.token(8), secret: random.token() };
}

/**
 * Reads the cookie of an interaction.
 *
 * @returns undefined if the browser does not have it.
 */
export function bindingOf(
  cookies: ReadonlyMap<string, string>,
  handle: string | undefined,
): BrowserBinding | undefined {
  if (handle === undefined || !handlePattern.test(handle)) return undefined;
  const secret = cookies.get(cookieName(handle));
  return secret !== undefined && secretPattern.test(secret) ? { handle, secret } : undefined;
}

export function interactionIdOf({ secret }: BrowserBinding, digests: Digests): string {
  return digests.sha256Hex(secret);
}

/** Value of the hidden field in this interaction's forms. */
export function formTokenOf({ secret }: BrowserBinding, digests: Digests): string {
  return digests.sha256Base64Url(`form ${secret}`);
}

/**
 * The authorization code of this interaction. It follows from the cookie's secret, so that a form that is sent twice leads to the same code
 * whichever of its two responses the browser shows. Nobody without the secret can compute it, and the table has its digest only.
 */
export function authorizationCodeOf({ secret }: BrowserBinding, digests: Digests): string {
  return digests.sha256Base64Url(`code ${secret}`);
}

/**
 * The cookie of an interaction. `SameSite=Strict` if only our own pages lead to the next step. `Lax` if a redirect leads from the
 * application's link straight to the consent page: the browser counts that as a request from another site. `__Host-` keeps other hosts from
 * setting the cookie.
 */
export function bindingCookie(
  { handle, secret }: BrowserBinding,
  maxAgeSeconds: number,
  sameSite: 'Strict' | 'Lax' = 'Strict',
): string {
  return `${cookieName(handle)}=${secret}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeSeconds}`;
}

export function clearBindingCookie({ handle }: BrowserBinding): string {
  return `${cookieName(handle)}=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0`;
}

/**
 * Whether a form came from a page of this origin, by the headers `Origin` and `Sec-Fetch-Site`. True if the browser sends neither; the
 * cookie and the form's token still protect the form then.
 */
export function isSameOrigin(
  ourOrigin: string,
  origin: string | undefined,
  fetchSite: string | undefined,
): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false;
  return origin === undefined || origin === ourOrigin;
}

function cookieName(handle: string): string {
  return `__Host-interaction-${handle}`;
}
