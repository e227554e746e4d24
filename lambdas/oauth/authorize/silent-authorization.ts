import { memberIssuer } from '../../catalog/addresses.ts';
import { auditEvent } from '../audit-event.ts';
import type { AuthorizationError } from './authorization-error.ts';
import type { Accepted } from './authorization-request.ts';
import { codeResponse } from './authorization-response.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import { createAuthorizationCode } from './issue-authorization-code.ts';
import { consentedScope, type SsoSession, type SsoSessionConsent } from './sso-session.ts';

const signIn = { error: 'login_required', description: 'the member must sign in' } as const;
const consentRequired = { error: 'consent_required', description: 'the member must consent' } as const;

export const loginRequired: AuthorizationError = signIn;

/**
 * `prompt=none` (OpenID Connect Core section 3.1.2.1) in an SSO session: another code of the grant the member gave this
 * application in that very sign-in, for no more than that and for no longer. The code is of the grant itself, so that
 * whatever ends the grant ends the code.
 *
 * @param session stands in for the password.
 */
export async function authorizeSilently(
  server: AuthorizationServer,
  browser: BrowserRequest,
  { client, request }: Accepted,
  session: SsoSession,
): Promise<BrowserResponse | AuthorizationError> {
  const { lob } = browser;
  const now = Math.floor(server.now() / 1000);
  const given = await server.ssoSessions.consent(lob, session, client.clientId);
  const scope = consentedScope(given, request.scope, client.products, now);
  if (given === undefined || scope === undefined) return consentRequired;
  const { grantId } = given;
  const { member, authTime, ssoSessionId } = session;
  const { text, code } = createAuthorizationCode(server, { request, member, authTime, grantId, scope }, now);
  const renewed = await server.ssoSessions.renew({
    ...{ lob, ssoSessionId, now },
    code: { ...code, grantExpiresAt: given.expiresAt },
    audit: renewal(server, browser, session, client.clientId, given),
  });
  if (renewed === 'sign_in_ended') return signIn;
  if (renewed === 'grant_ended') return consentRequired;
  return { location: codeResponse(request, memberIssuer(server.origins, lob), text) };
}

function renewal(
  { now, random }: AuthorizationServer,
  { context }: BrowserRequest,
  { member: { sub: actor, patientId } }: SsoSession,
  clientId: string,
  { grantId }: SsoSessionConsent,
) {
  const about = { actor, clientId, grantId, patientId } as const;
  return auditEvent(context, { action: 'grant.renew', outcome: 'succeeded', ...about }, now(), random.uuid());
}
