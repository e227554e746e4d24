/** Redirects to the logout of a plan's identity provider after a local one. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { federationAddress } from '../pages/paths.ts';
import type { BrowserRequest, RedirectResponse } from './browser-request.ts';

/** The next page reads the cookie at once. */
const markedSeconds = 60;

/**
 * Redirects to the logout at the plan's identity provider, after a session here has ended. The cookie is the proof of that: no
 * link from elsewhere signs a member out of the plan's portal.
 *
 * @param query the logout parameters of the application.
 */
export function redirectToProviderLogout(
  { origins }: { readonly origins: EnvironmentOrigins },
  { lob }: Pick<BrowserRequest, 'lob'>,
  query: Readonly<Record<string, string>>,
  setCookies: readonly string[],
): RedirectResponse {
  const location = `${origins.auth}${federationAddress(lob, 'sign-out', query)}`;
  return { kind: 'redirect', location, setCookies: [...setCookies, endedSessionCookie(lob, markedSeconds)] };
}

/** Whether a session was ended in this browser a moment ago. */
export function hasEndedSession({ cookies, lob }: Pick<BrowserRequest, 'cookies' | 'lob'>): boolean {
  return cookies.get(cookieName(lob)) === '1';
}

/** `Lax`: an application's link may have led to the logout. */
export function endedSessionCookie(lob: LineOfBusiness, maxAgeSeconds: number): string {
  const value = maxAgeSeconds === 0 ? '' : '1';
  return `${cookieName(lob)}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
}

function cookieName(lob: LineOfBusiness): string {
  return `__Host-signed-out-${lob.toLowerCase()}`;
}
