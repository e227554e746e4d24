import { auditEvent } from '../audit-event.ts';
import { memberSessionId, secretCookie, secretOf } from '../connected-apps/member-session.ts';
import type { SignedInMember } from '../ports.ts';
import type { Accepted } from './authorization-request.ts';
import { interactionIdOf, newBinding, setCookie } from './browser-binding.ts';
import type { AuthorizationServer, BrowserAnswer, BrowserRequest } from './browser-step.ts';
import { nextPage } from './next-page.ts';
import { keptSeconds, type SsoSession } from './sso-session.ts';

/** Why a kept sign-in ends before its time. */
export type KeptEnd = 'signed_in_again' | 'account_switched' | 'signed_out';

/** The sign-in this browser keeps for the LOB, if the table has one for its cookie; it may be over. */
export async function keptSignInOf(
  { kept, digests }: AuthorizationServer,
  { cookies, lob }: BrowserRequest,
): Promise<SsoSession | undefined> {
  const secret = secretOf(cookies, 'sign-in', lob);
  return secret === undefined ? undefined : await kept.find(lob, memberSessionId(secret, digests));
}

/**
 * A sign-in to be kept, with its cookie. The secret is made here and now: no browser brings one that becomes a session
 * (session fixation).
 *
 * @param now seconds since 1970
 */
export function newKeptSignIn(
  { random, digests }: AuthorizationServer,
  { lob }: BrowserRequest,
  member: SignedInMember,
  now: number,
): { readonly kept: SsoSession; readonly cookie: string } {
  const secret = random.token();
  const keptId = memberSessionId(secret, digests);
  return {
    kept: { keptId, state: 'open', member, authTime: now, expiresAt: now + keptSeconds },
    cookie: secretCookie('sign-in', lob, secret, keptSeconds),
  };
}

/**
 * To the consent page without a password. What begins so is over with the sign-in that stood in for it.
 *
 * @returns undefined where that ended a moment ago.
 */
export async function continueSignIn(
  server: AuthorizationServer,
  browser: BrowserRequest,
  { request }: Accepted,
  { keptId, member, authTime, expiresAt: keptUntil }: SsoSession,
): Promise<BrowserAnswer | undefined> {
  const { lob, language, context } = browser;
  const binding = newBinding(server.random);
  const now = Math.floor(server.now() / 1000);
  const expiresAt = Math.min(now + server.interactionSeconds, keptUntil);
  const interaction = {
    interactionId: interactionIdOf(binding, server.digests),
    state: 'consenting',
    ...{ request, language, expiresAt, member, authTime, keptId },
    continued: true,
  } as const;
  const { sub: actor, patientId } = member;
  const { clientId } = request;
  const decision = { action: 'sign-in.continue', outcome: 'succeeded', actor, clientId, patientId } as const;
  const audit = auditEvent(context, decision, server.now(), server.random.uuid());
  const begun = await server.kept.begin({ lob, interaction, now, audit });
  if (!begun) return undefined;
  const location = nextPage(server, browser, { binding }, 'consent');
  return { location, setCookies: [setCookie(binding, expiresAt - now, 'Lax')] };
}

/**
 * Ends the sign-in this browser keeps, if it is open, with its event.
 *
 * @param about the client id the event names.
 * @param unless whose sign-in stays.
 * @returns the cookies that take it out of the browser.
 */
export async function endKeptSignIn(
  server: AuthorizationServer,
  browser: BrowserRequest,
  reason: KeptEnd,
  about: string,
  unless?: SignedInMember,
): Promise<readonly string[]> {
  const { lob, context, cookies } = browser;
  if (secretOf(cookies, 'sign-in', lob) === undefined) return [];
  const kept = await keptSignInOf(server, browser);
  if (kept !== undefined && kept.member.sub === unless?.sub) return [];
  if (kept?.state === 'open' && kept.expiresAt > server.now() / 1000) {
    const { sub: actor, patientId } = kept.member;
    const who = { actor, clientId: about, patientId } as const;
    const decision = { action: 'sign-in.end', outcome: 'succeeded', reason, ...who } as const;
    const audit = auditEvent(context, decision, server.now(), server.random.uuid());
    await server.kept.end({ lob, keptId: kept.keptId, audit });
  }
  return [secretCookie('sign-in', lob, '', 0)];
}
