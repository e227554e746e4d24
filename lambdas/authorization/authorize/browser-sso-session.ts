/** SSO session of a browser: its cookie, its continuation and its end. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { Random } from '../../platform/kernel/random.ts';
import { aboutPatient, auditEvent } from '../oauth/audit-decision.ts';
import {
  type AuthenticatedAccount,
  referenceTo,
  type SignedInMember,
  soleMember,
  ssoSessionSeconds,
} from '../oauth/member-account.ts';
import type { Accepted } from './authorization-request.ts';
import { bindingCookie, createBinding, interactionIdOf } from './browser-binding.ts';
import type { BrowserRequest, RedirectResponse } from './browser-request.ts';
import { connectedAppsSessionId, secretCookie, secretOf } from './connected-apps-session.ts';
import { redirectToPage } from './redirect-to-page.ts';
import type { SsoSession } from './sso-session.ts';
import type { SsoSessionStore } from './sso-session-store-port.ts';

export interface EndSsoSessionServices {
  readonly ssoSessions: Pick<SsoSessionStore, 'find' | 'end'>;
  readonly digests: Digests;
  readonly random: Random;
  readonly now: Clock;
}

export interface ContinueSsoSessionServices {
  readonly origins: EnvironmentOrigins;
  readonly ssoSessions: Pick<SsoSessionStore, 'begin'>;
  readonly digests: Digests;
  readonly random: Random;
  readonly now: Clock;
  readonly interactionSeconds: number;
}

/** Reason why an SSO session ends early. */
export type SsoSessionEnd = 'signed_in_again' | 'account_switched' | 'signed_out';

/** Finds the SSO session of this browser's cookie for the LOB. The session may have ended or expired. */
export async function findSsoSession(
  {
    ssoSessions,
    digests,
  }: { readonly ssoSessions: Pick<SsoSessionStore, 'find'>; readonly digests: Digests },
  { cookies, lob }: BrowserRequest,
): Promise<SsoSession | undefined> {
  const secret = secretOf(cookies, 'sign-in', lob);
  return secret === undefined
    ? undefined
    : await ssoSessions.find(lob, connectedAppsSessionId(secret, digests));
}

/**
 * Makes an SSO session and its cookie. The secret is made after the sign-in, and never taken from the browser (session fixation). The
 * session expires a fixed time after the sign-in, even if a patient is chosen later.
 */
export function createSsoSession(
  { random, digests }: Pick<EndSsoSessionServices, 'random' | 'digests'>,
  { lob }: BrowserRequest,
  { member, authTime }: Pick<SsoSession, 'member' | 'authTime'>,
): { readonly session: SsoSession; readonly cookie: string } {
  const secret = random.token();
  const ssoSessionId = connectedAppsSessionId(secret, digests);
  return {
    session: { ssoSessionId, state: 'open', member, authTime, expiresAt: authTime + ssoSessionSeconds },
    cookie: secretCookie('sign-in', lob, secret, ssoSessionSeconds),
  };
}

/**
 * Begins an interaction in an SSO session, without a password: at the consent page, or at the choice of a patient if the account has
 * several. It expires with the SSO session at the latest.
 *
 * @returns undefined if the SSO session ended in the meantime.
 */
export async function continueSsoSession(
  services: ContinueSsoSessionServices,
  browser: BrowserRequest,
  { request }: Accepted,
  { ssoSessionId, authTime, expiresAt: sessionExpiresAt }: SsoSession,
  account: AuthenticatedAccount,
): Promise<RedirectResponse | undefined> {
  const { lob, language, context } = browser;
  const binding = createBinding(services.random);
  const now = Math.floor(services.now() / 1000);
  const expiresAt = Math.min(now + services.interactionSeconds, sessionExpiresAt);
  const { sub } = account;
  const member = soleMember(account);
  const interaction = {
    interactionId: interactionIdOf(binding, services.digests),
    ...(member === undefined
      ? ({ state: 'choosing', account: referenceTo(account) } as const)
      : ({ state: 'consenting', member } as const)),
    request,
    language,
    expiresAt,
    authTime,
    ssoSessionId,
    continued: true,
  } as const;
  const { clientId } = request;
  const about = { actor: sub, clientId, ...(member !== undefined && aboutPatient(member)) };
  const decision = { action: 'sign-in.continue', outcome: 'succeeded', ...about } as const;
  const audit = auditEvent(context, decision, services.now(), services.random.uuid());
  const begun = await services.ssoSessions.begin({ lob, interaction, now, audit });
  if (!begun) return undefined;
  return redirectToPage(services, browser, { binding }, member === undefined ? 'patient' : 'consent', [
    bindingCookie(binding, expiresAt - now, 'Lax'),
  ]);
}

/**
 * Ends this browser's SSO session, if it is open, and writes the audit event.
 *
 * @param about the client ID in the audit event.
 * @param unless a member whose SSO session is kept.
 * @returns the cookies that delete the SSO session's cookie.
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
    const who = { actor: session.member.sub, clientId: about, ...aboutPatient(session.member) };
    const decision = { action: 'sign-in.end', outcome: 'succeeded', reason, ...who } as const;
    const audit = auditEvent(context, decision, services.now(), services.random.uuid());
    await services.ssoSessions.end({ lob, ssoSessionId: session.ssoSessionId, audit });
  }
  return [secretCookie('sign-in', lob, '', 0)];
}
