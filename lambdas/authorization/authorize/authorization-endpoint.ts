/** Handles an authorization request: starts an interaction, or responds at once from an SSO session (RFC 6749 §4.1.1). */

import { fhirBase, memberIssuer } from '../../catalog/addresses.ts';
import type { AuditTrail } from '../oauth/audit-decision.ts';
import { auditEvent } from '../oauth/audit-decision.ts';
import type { ClientReader } from '../oauth/client-ports.ts';
import type { AuthenticatedAccount, FindActiveAccount } from '../oauth/member-account.ts';
import { type Parameters, parameterOf } from '../oauth/parameters.ts';
import type { IdTokenHints } from '../oauth/token-ports.ts';
import { messagePage } from '../pages/message-page.ts';
import type { HintedMember } from './authentication-parameters.ts';
import {
  type Accepted,
  type RequestedAuthentication,
  verifyAuthorizationRequest,
} from './authorization-request.ts';
import { errorResponse } from './authorization-response.ts';
import type { AuthorizationStore } from './authorization-store-port.ts';
import { createBinding, interactionIdOf } from './browser-binding.ts';
import type { BrowserRequest, BrowserResponse } from './browser-request.ts';
import {
  type ContinueSsoSessionServices,
  continueSsoSession,
  findSsoSession,
} from './browser-sso-session.ts';
import { beginningCookie, type FirstPageServices, firstPageResponse } from './sign-in-response.ts';
import {
  type AuthorizationRefusal,
  authorizeSilently,
  choiceRequired,
  loginRequired,
  type SilentAuthorizationServices,
} from './silent-authorization.ts';
import { type SsoSession, satisfiesAuthenticationParameters } from './sso-session.ts';
import type { SsoSessionStore } from './sso-session-store-port.ts';

export type AuthorizationEndpointServices = SilentAuthorizationServices &
  FirstPageServices &
  ContinueSsoSessionServices & {
    readonly clients: ClientReader;
    readonly ssoSessions: Pick<SsoSessionStore, 'find'>;
    readonly hints: IdTokenHints;
    readonly findActiveAccount: FindActiveAccount;
    readonly store: Pick<AuthorizationStore, 'begin'>;
    readonly audit: AuditTrail;
  };

/** Maximum length of a client id; a longer one is not looked up. */
const longestClientId = 64;

/**
 * Handles the authorization endpoint (RFC 6749 section 3.1): verifies the request and responds with the sign-in page, with a redirect to
 * the consent page in an SSO session, or with a redirect to the application. The parameters of a GET are in the query, those of a POST in
 * the form (OpenID Connect Core section 3.1.2.1).
 */
export async function handleAuthorizationRequest(
  services: AuthorizationEndpointServices,
  request: BrowserRequest,
  parameters: Parameters,
): Promise<BrowserResponse> {
  const clientId = parameterOf(parameters, 'client_id');
  const isReadable = clientId !== undefined && clientId.length <= longestClientId;
  const verdict = verifyAuthorizationRequest({
    parameters,
    lob: request.lob,
    audience: fhirBase(services.origins, request.lob, 'patient-access'),
    client: isReadable ? await services.clients.find(clientId) : undefined,
  });
  if (verdict.kind === 'page') {
    await recordRefusal(services, request, verdict.reason, clientId);
    return messagePage(400, verdict.reason, request.language);
  }
  const result: BrowserResponse | AuthorizationRefusal =
    verdict.kind === 'accepted'
      ? await authorize(services, request, verdict)
      : { kind: 'refusal', refusal: verdict.error };
  if (result.kind !== 'refusal') return result;
  await recordRefusal(services, request, result.refusal.error, clientId);
  const target = verdict.kind === 'accepted' ? verdict.request : verdict;
  const issuer = memberIssuer(services.origins, request.lob);
  return { kind: 'redirect', location: errorResponse(target, issuer, result.refusal) };
}

/** Authorizes an accepted request in the browser's SSO session if it may replace the password; otherwise begins a sign-in. */
async function authorize(
  services: AuthorizationEndpointServices,
  browser: BrowserRequest,
  accepted: Accepted,
): Promise<BrowserResponse | AuthorizationRefusal> {
  const { authentication } = accepted;
  const hinted = await hintedMember(services, browser, accepted);
  const session = await findSsoSession(services, browser);
  const inTime =
    session !== undefined &&
    satisfiesAuthenticationParameters(session, authentication, hinted, services.now())
      ? session
      : undefined;
  const usable = await ofActiveAccount(services, browser, inTime);
  const expectedSub = hinted.kind === 'member' ? hinted.sub : undefined;
  const request = { ...accepted.request, expectedSub, authentication: keptParameters(authentication) };
  const asked = { ...accepted, request };
  if (authentication.prompts.includes('none')) {
    if (usable === undefined) return loginRequired;
    if (usable.account.patients.length > 1) return choiceRequired;
    return await authorizeSilently(services, browser, asked, usable.session);
  }
  const continued =
    usable === undefined
      ? undefined
      : await continueSsoSession(services, browser, asked, usable.session, usable.account);
  return continued ?? (await beginInteraction(services, browser, asked));
}

/** Parameters that the sign-in page and the plan's identity provider need. */
function keptParameters({
  prompts,
  maxAge,
  acrValues,
  loginHint,
}: RequestedAuthentication): RequestedAuthentication {
  return { prompts, maxAge, acrValues, loginHint };
}

/** Returns the SSO session only if its account is active: the session of a closed account is refused like its password. */
async function ofActiveAccount(
  services: AuthorizationEndpointServices,
  { lob }: BrowserRequest,
  session: SsoSession | undefined,
): Promise<{ readonly session: SsoSession; readonly account: AuthenticatedAccount } | undefined> {
  if (session === undefined) return undefined;
  const account = await services.findActiveAccount(lob, session.member);
  return account === undefined ? undefined : { session, account };
}

async function hintedMember(
  { hints }: Pick<AuthorizationEndpointServices, 'hints'>,
  { lob }: BrowserRequest,
  { client, authentication: { idTokenHint } }: Accepted,
): Promise<HintedMember> {
  if (idTokenHint === undefined) return { kind: 'anyone' };
  const named = await hints.read(lob, idTokenHint);
  return named?.clientId === client.clientId ? { kind: 'member', sub: named.subject } : { kind: 'unknown' };
}

async function beginInteraction(
  services: AuthorizationEndpointServices,
  browser: BrowserRequest,
  { client, request }: Accepted,
): Promise<BrowserResponse> {
  const binding = createBinding(services.random);
  const interaction = {
    interactionId: interactionIdOf(binding, services.digests),
    state: 'signing-in',
    request,
    language: browser.language,
    expiresAt: Math.floor(services.now() / 1000) + services.interactionSeconds,
  } as const;
  await services.store.begin(browser.lob, interaction);
  const page = firstPageResponse(services, { binding, interaction, client, request: browser });
  const cookie = beginningCookie(services, browser.lob, binding, services.interactionSeconds);
  return { ...page, setCookies: [cookie] };
}

/**
 * Records a refused request in the audit, but only for a registered application: requests with invented client IDs could fill the audit.
 */
async function recordRefusal(
  { audit, now, random }: Pick<AuthorizationEndpointServices, 'audit' | 'now' | 'random'>,
  { context }: BrowserRequest,
  reason: string,
  clientId: string | undefined,
): Promise<void> {
  if (clientId === undefined || reason === 'client_unknown') return;
  const decision = { action: 'authorization.request', outcome: 'refused', reason } as const;
  await audit.record(auditEvent(context, { ...decision, actor: 'member', clientId }, now(), random.uuid()));
}
