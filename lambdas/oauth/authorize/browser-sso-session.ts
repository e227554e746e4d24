import { auditEvent } from '../audit-event.ts';
import { memberSessionId, secretCookie, secretOf } from '../connected-apps/member-session.ts';
import type { SignedInMember } from '../ports.ts';
import type { Accepted } from './authorization-request.ts';
import { bindingCookie, createBinding, interactionIdOf } from './browser-binding.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import { interactionPageUrl } from './next-page.ts';
import { type SsoSession, ssoSessionSeconds } from './sso-session.ts';

/** Why an SSO session ends before its time. */
export type SsoSessionEnd = 'signed_in_again' | 'account_switched' | 'signed_out';

/** The sign-in this browser keeps for the LOB, if the table has one for its cookie; it may be over. */
export async function findSsoSession(
  { ssoSessions, digests }: AuthorizationServer,
  { cookies, lob }: BrowserRequest,
): Promise<SsoSession | undefined> {
  const secret = secretOf(cookies, 'sign-in', lob);
  return secret === undefined ? undefined : await ssoSessions.find(lob, memberSessionId(secret, digests));
}

/**
 * A sign-in to be kept, with its cookie. The secret is made here and now: no browser brings one that becomes a session
 * (session fixation).
 *
 * @param now seconds since 1970
 */
export function createSsoSession(
  { random, digests }: AuthorizationServer,
  { lob }: BrowserRequest,
  member: SignedInMember,
  now: number,
): { readonly session: SsoSession; readonly cookie: string } {
  const secret = random.token();
  const ssoSessionId = memberSessionId(secret, digests);
  return {
    session: {
      ssoSessionId,
      state: 'open',
      member,
      authTime: now,
      expiresAt: now + ssoSessionSeconds,
    },
    cookie: secretCookie('sign-in', lob, secret, ssoSessionSeconds),
  };
}

/**
 * To the consent page without a password. What begins so is over with the sign-in that stood in for it.
 *
 * @returns undefined where that ended a moment ago.
 */
export async function continueSsoSession(
  server: AuthorizationServer,
  browser: BrowserRequest,
  { request }: Accepted,
  { ssoSessionId, member, authTime, expiresAt: keptUntil }: SsoSession,
): Promise<BrowserResponse | undefined> {
  const { lob, language, context } = browser;
  const binding = createBinding(server.random);
  const now = Math.floor(server.now() / 1000);
  const expiresAt = Math.min(now + server.interactionSeconds, keptUntil);
  const interaction = {
    interactionId: interactionIdOf(binding, server.digests),
    state: 'consenting',
    ...{ request, language, expiresAt, member, authTime, ssoSessionId },
    continued: true,
  } as const;
  const { sub: actor, patientId } = member;
  const { clientId } = request;
  const decision = { action: 'sign-in.continue', outcome: 'succeeded', actor, clientId, patientId } as const;
  const audit = auditEvent(context, decision, server.now(), server.random.uuid());
  const begun = await server.ssoSessions.begin({ lob, interaction, now, audit });
  if (!begun) return undefined;
  const location = interactionPageUrl(server, browser, { binding }, 'consent');
  return { location, setCookies: [bindingCookie(binding, expiresAt - now, 'Lax')] };
}

/**
 * Ends the sign-in this browser keeps, if it is open, with its event.
 *
 * @param about the client id the event names.
 * @param unless whose sign-in stays.
 * @returns the cookies that take it out of the browser.
 */
export async function endSsoSession(
  server: AuthorizationServer,
  browser: BrowserRequest,
  reason: SsoSessionEnd,
  about: string,
  unless?: SignedInMember,
): Promise<readonly string[]> {
  const { lob, context, cookies } = browser;
  if (secretOf(cookies, 'sign-in', lob) === undefined) return [];
  const session = await findSsoSession(server, browser);
  if (session !== undefined && session.member.sub === unless?.sub) return [];
  if (session?.state === 'open' && session.expiresAt > server.now() / 1000) {
    const { sub: actor, patientId } = session.member;
    const who = { actor, clientId: about, patientId } as const;
    const decision = { action: 'sign-in.end', outcome: 'succeeded', reason, ...who } as const;
    const audit = auditEvent(context, decision, server.now(), server.random.uuid());
    await server.ssoSessions.end({ lob, ssoSessionId: session.ssoSessionId, audit });
  }
  return [secretCookie('sign-in', lob, '', 0)];
}
