import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Digests } from '../../kernel/digests.ts';
import type { Random } from '../../kernel/random.ts';
import { auditEvent } from '../audit-event.ts';
import { memberSessionId, secretCookie, secretOf } from '../connected-apps/member-session.ts';
import type { SignedInMember } from '../member-account.ts';
import type { Accepted } from './authorization-request.ts';
import { bindingCookie, createBinding, interactionIdOf } from './browser-binding.ts';
import type { BrowserRequest, RedirectResponse } from './browser-request.ts';
import { redirectToPage } from './redirect-to-page.ts';
import { type SsoSession, ssoSessionSeconds } from './sso-session.ts';
import type { SsoSessionStore } from './sso-session-store.ts';

/** Services that end the SSO session of a browser. */
export interface EndSsoSessionServices {
  readonly ssoSessions: Pick<SsoSessionStore, 'find' | 'end'>;
  readonly digests: Digests;
  readonly random: Random;
  readonly now: Clock;
}

/** Services that begin an interaction in an SSO session. */
export interface ContinueSsoSessionServices {
  readonly origins: EnvironmentOrigins;
  readonly ssoSessions: Pick<SsoSessionStore, 'begin'>;
  readonly digests: Digests;
  readonly random: Random;
  readonly now: Clock;
  readonly interactionSeconds: number;
}

/** Reason why an SSO session ends before its time. */
export type SsoSessionEnd = 'signed_in_again' | 'account_switched' | 'signed_out';

/** Finds the SSO session of this browser's cookie for the LOB; it may be over. */
export async function findSsoSession(
  {
    ssoSessions,
    digests,
  }: { readonly ssoSessions: Pick<SsoSessionStore, 'find'>; readonly digests: Digests },
  { cookies, lob }: BrowserRequest,
): Promise<SsoSession | undefined> {
  const secret = secretOf(cookies, 'sign-in', lob);
  return secret === undefined ? undefined : await ssoSessions.find(lob, memberSessionId(secret, digests));
}

/**
 * Makes an SSO session and its cookie. The secret is made here, after the sign-in: no browser brings one that becomes a session
 * (session fixation).
 *
 * @param now seconds since 1970
 */
export function createSsoSession(
  { random, digests }: Pick<EndSsoSessionServices, 'random' | 'digests'>,
  { lob }: BrowserRequest,
  member: SignedInMember,
  now: number,
): { readonly session: SsoSession; readonly cookie: string } {
  const secret = random.token();
  const ssoSessionId = memberSessionId(secret, digests);
  return {
    session: { ssoSessionId, state: 'open', member, authTime: now, expiresAt: now + ssoSessionSeconds },
    cookie: secretCookie('sign-in', lob, secret, ssoSessionSeconds),
  };
}

/**
 * Begins an interaction at the consent page, without a password. It is over when the SSO session is.
 *
 * @returns undefined where the SSO session ended in the meantime.
 */
export async function continueSsoSession(
  services: ContinueSsoSessionServices,
  browser: BrowserRequest,
  { request }: Accepted,
  { ssoSessionId, member, authTime, expiresAt: sessionExpiresAt }: SsoSession,
): Promise<RedirectResponse | undefined> {
  const { lob, language, context } = browser;
  const binding = createBinding(services.random);
  const now = Math.floor(services.now() / 1000);
  const expiresAt = Math.min(now + services.interactionSeconds, sessionExpiresAt);
  const interaction = {
    interactionId: interactionIdOf(binding, services.digests),
    state: 'consenting',
    ...{ request, language, expiresAt, member, authTime, ssoSessionId },
    continued: true,
  } as const;
  const { sub: actor, patientId } = member;
  const { clientId } = request;
  const decision = { action: 'sign-in.continue', outcome: 'succeeded', actor, clientId, patientId } as const;
  const audit = auditEvent(context, decision, services.now(), services.random.uuid());
  const begun = await services.ssoSessions.begin({ lob, interaction, now, audit });
  if (!begun) return undefined;
  return redirectToPage(services, browser, { binding }, 'consent', [
    bindingCookie(binding, expiresAt - now, 'Lax'),
  ]);
}

/**
 * Ends this browser's SSO session, if it is open, with its event.
 *
 * @param about the client id the event names.
 * @param unless the member whose SSO session stays.
 * @returns the cookies that take it out of the browser.
 */
export async function endSsoSession(
  services: EndSsoSessionServices,
  browser: BrowserRequest,
  reason: SsoSessionEnd,
  about: string,
  unless?: SignedInMember,
): Promise<readonly string[]> {
  const { lob, context, cookies } = browser;
  if (secretOf(cookies, 'sign-in', lob) === undefined) return [];
  const session = await findSsoSession(services, browser);
  if (session !== undefined && session.member.sub === unless?.sub) return [];
  if (session?.state === 'open' && session.expiresAt > services.now() / 1000) {
    const { sub: actor, patientId } = session.member;
    const who = { actor, clientId: about, patientId } as const;
    const decision = { action: 'sign-in.end', outcome: 'succeeded', reason, ...who } as const;
    const audit = auditEvent(context, decision, services.now(), services.random.uuid());
    await services.ssoSessions.end({ lob, ssoSessionId: session.ssoSessionId, audit });
  }
  return [secretCookie('sign-in', lob, '', 0)];
}
