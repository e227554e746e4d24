/** Binds an interaction to one browser by a cookie, against login CSRF. */

import type { Digests } from '../../platform/kernel/digests.ts';
import type { Random } from '../../platform/kernel/random.ts';

/**
 * Binding of an interaction to one browser. The secret is in a cookie only the browser has; its SHA-256 is the
 * interaction's id; the forms hold another digest of it. A form sent from elsewhere has no cookie, or not its digest.
 */
export interface BrowserBinding {
  /** Public name of the interaction in this browser, part of the cookie's name: two tabs have two. */
  readonly handle: string;
  readonly secret: string;
}

const handlePattern = /^[A-Za-z0-9_-]{11}$/;
const secretPattern = /^[A-Za-z0-9_-]{43}$/;

export function createBinding(random: Random): BrowserBinding {
  return { handle: random.token(8), secret: random.token() };
}

/** @returns undefined where the browser has no cookie of that interaction. */
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

/** The hidden field of this interaction's forms. */
export function formTokenOf({ secret }: BrowserBinding, digests: Digests): string {
  return digests.sha256Base64Url(`form ${secret}`);
}

/**
 * The cookie of an interaction. `Strict`: only our own pages lead to its next step. `Lax` where a redirect leads from the
 * application's link to the consent page at once, which is still a request from another site. `__Host-`: no other host can set
 * it.
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
 * Whether a form came from a page of this origin, as far as the browser tells. Old browsers and programs tell nothing;
 * the cookie and the form's token hold for them.
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
