/** Authorization without a page (`prompt=none`). */

import { type EnvironmentOrigins, memberIssuer } from '../../catalog/addresses.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import { aboutPatient, auditEvent } from '../oauth/audit-decision.ts';
import type { AuthorizationError } from './authorization-error.ts';
import type { Accepted } from './authorization-request.ts';
import { codeResponse } from './authorization-response.ts';
import type { BrowserRequest, RedirectResponse } from './browser-request.ts';
import { type AuthorizationCodeServices, createAuthorizationCode } from './create-authorization-code.ts';
import { consentedScope, type SsoSession, type SsoSessionConsent } from './sso-session.ts';
import type { SsoSessionStore } from './sso-session-store-port.ts';

export interface SilentAuthorizationServices extends AuthorizationCodeServices {
  readonly origins: EnvironmentOrigins;
  readonly ssoSessions: Pick<SsoSessionStore, 'consent' | 'renew'>;
  readonly random: Random;
  readonly now: Clock;
}

/** A refused authorization request whose error is sent to the application. */
export interface AuthorizationRefusal {
  readonly kind: 'refusal';
  readonly refusal: AuthorizationError;
}

export const loginRequired: AuthorizationRefusal = {
  kind: 'refusal',
  refusal: { error: 'login_required', description: 'the member must sign in' },
};
/**
 * Refusal if the account may share the data of several patients: none can be chosen without a page (OpenID Connect Core section 3.1.2.6).
 */
export const choiceRequired: AuthorizationRefusal = {
  kind: 'refusal',
  refusal: { error: 'interaction_required', description: 'the member must choose whose data to share' },
};
const consentRequired: AuthorizationRefusal = {
  kind: 'refusal',
  refusal: { error: 'consent_required', description: 'the member must consent' },
};

/**
 * Authorizes `prompt=none` (OpenID Connect Core section 3.1.2.1) in an SSO session: issues another code for the grant that the member gave
 * this application in the session. The code has no more scope than the grant and does not extend it. It ends when the grant ends.
 *
 * @param session the browser's SSO session, which replaces the password.
 */
export async function authorizeSilently(
  services: SilentAuthorizationServices,
  browser: BrowserRequest,
  { client, request }: Accepted,
  session: SsoSession,
): Promise<RedirectResponse | AuthorizationRefusal> {
  const { lob } = browser;
  const now = Math.floor(services.now() / 1000);
  const consent = await services.ssoSessions.consent(lob, session, client.clientId);
  const scope = consentedScope(consent, request.scope, client.products, now);
  if (consent === undefined || scope === undefined) return consentRequired;
  const { grantId } = consent;
  const { member, authTime, ssoSessionId } = session;
  const text = services.random.token();
  const code = createAuthorizationCode(services, text, { request, member, authTime, grantId, scope }, now);
  const renewed = await services.ssoSessions.renew({
    lob,
    ssoSessionId,
    now,
    code: { ...code, grantExpiresAt: consent.expiresAt },
    audit: renewalEvent(services, browser, session, client.clientId, consent),
  });
  if (renewed === 'sign_in_ended') return loginRequired;
  if (renewed === 'grant_ended') return consentRequired;
  return { kind: 'redirect', location: codeResponse(request, memberIssuer(services.origins, lob), text) };
}

function renewalEvent(
  { now, random }: Pick<SilentAuthorizationServices, 'now' | 'random'>,
  { context }: BrowserRequest,
  { member }: SsoSession,
  clientId: string,
  { grantId }: SsoSessionConsent,
) {
  const about = { actor: member.sub, clientId, grantId, ...aboutPatient(member) } as const;
  return auditEvent(context, { action: 'grant.renew', outcome: 'succeeded', ...about }, now(), random.uuid());
}
