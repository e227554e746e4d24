/** Redirects to the logout of a plan's identity provider after the local logout. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ProviderChoice } from '../../catalog/oauth/identity-providers.ts';
import { federationAddress } from '../oauth/paths.ts';
import { continuePage } from '../pages/continue-page.ts';
import type { BrowserRequest, PageResponse } from './browser-request.ts';

/** Seconds that the cookie is valid; the next page reads it at once. */
const markedSeconds = 60;

/**
 * Redirects to the logout at the plan's identity provider, after a session here has ended. A cookie proves that a session has ended, so
 * that a link on another site can't sign a member out of the plan's portal.
 *
 * @param query the logout parameters of the application.
 */
export function continueToProviderLogout(
  provider: ProviderChoice,
  { lob, language }: Pick<BrowserRequest, 'lob' | 'language'>,
  query: Readonly<Record<string, string>>,
  setCookies: readonly string[],
): PageResponse {
  const address = federationAddress(lob, 'sign-out', query);
  return {
    kind: 'page',
    status: 200,
    html: continuePage({ language, lob, provider: provider.label[language], address }),
    setCookies: [...setCookies, endedSessionCookie(lob, markedSeconds)],
  };
}

/** Whether a session in this browser has just been ended, by the cookie. */
export function hasEndedSession({ cookies, lob }: Pick<BrowserRequest, 'cookies' | 'lob'>): boolean {
  return cookies.get(cookieName(lob)) === '1';
}

/** The cookie that says that a session was ended. `Lax`, because an application's link may have led to the logout. */
export function endedSessionCookie(lob: LineOfBusiness, maxAgeSeconds: number): string {
  const value = maxAgeSeconds === 0 ? '' : '1';
  return `${cookieName(lob)}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
}

function cookieName(lob: LineOfBusiness): string {
  return `__Host-signed-out-${lob.toLowerCase()}`;
}
