/** Handles an authorization request: starts an interaction, or responds at once from an SSO session (RFC 6749 §4.1.1). */

import { fhirBase, memberIssuer } from '../../catalog/addresses.ts';
import type { UnredirectableReason } from '../../catalog/oauth/oauth-errors.ts';
import { authorizationRefusalsByAddress, type Rates } from '../../platform/kernel/rates.ts';
import type { AuditTrail } from '../oauth/audit-decision.ts';
import { auditEvent } from '../oauth/audit-decision.ts';
import type { ClientReader } from '../oauth/client-ports.ts';
import type { AuthenticatedAccount, FindActiveAccount } from '../oauth/member-account.ts';
import { type Parameters, parameterOf } from '../oauth/parameters.ts';
import { pagePath } from '../oauth/paths.ts';
import type { IdTokenHints } from '../oauth/token-ports.ts';
import { messagePage, type PageReference } from '../pages/message-page.ts';
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
import { callerBlock } from './caller-block.ts';
import type { RefusalExplanation, RefusedRequest } from './refused-request.ts';
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
    readonly rates: Pick<Rates, 'attempt'>;
    /** The portal's origin, where the errors are explained; undefined in an environment whose pages are for members only. */
    readonly errorsOrigin: string | undefined;
  };

/** Maximum length of a client id; a longer one is not looked up. */
const longestClientId = 64;

/** Explanation of the refusals of an accepted request, all with `prompt=none`. */
const notSilent: RefusalExplanation = {
  expected: 'a browser in which the member is signed in and has consented to this application',
  received: 'prompt=none in another browser, or for more than the member shares',
};

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
  const client = isReadable ? await services.clients.find(clientId) : undefined;
  const verdict = verifyAuthorizationRequest({
    parameters,
    lob: request.lob,
    audience: fhirBase(services.origins, request.lob, 'patient-access'),
    client,
  });
  if (verdict.kind === 'page') {
    const { reason } = verdict;
    const refused = client && { clientId: client.clientId, reason, ...verdict.explanation };
    const page = messagePage(400, reason, request.language, pageReference(services, request, reason));
    return { ...page, ...(await recordRefusal(services, request, refused)) };
  }
  const result: BrowserResponse | AuthorizationRefusal =
    verdict.kind === 'accepted'
      ? await authorize(services, request, verdict)
      : { kind: 'refusal', refusal: verdict.error };
  if (result.kind !== 'refusal') return result;
  const explanation = verdict.kind === 'redirect' ? verdict.explanation : notSilent;
  const refused = client && { clientId: client.clientId, reason: result.refusal.error, ...explanation };
  const recorded = await recordRefusal(services, request, refused);
  const target = verdict.kind === 'accepted' ? verdict.request : verdict;
  const issuer = memberIssuer(services.origins, request.lob);
  return { kind: 'redirect', location: errorResponse(target, issuer, result.refusal), ...recorded };
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

/** The facts by which a reader of the error page finds the refusal: for members the request ID alone. */
function pageReference(
  { origins, errorsOrigin }: Pick<AuthorizationEndpointServices, 'origins' | 'errorsOrigin'>,
  { lob, context: { requestId } }: BrowserRequest,
  code: UnredirectableReason,
): PageReference {
  if (errorsOrigin === undefined) return { requestId };
  const developer = {
    code,
    address: `${origins.auth}${pagePath(lob, 'authorize')}`,
    documentation: `${errorsOrigin}/docs/errors#page-${code}`,
  };
  return { requestId, developer };
}

/**
 * Records a refused request in the audit, and has it logged for its application. Requests with invented client IDs, and more than a person's
 * browser makes, are neither recorded nor logged: they could fill both.
 */
async function recordRefusal(
  { audit, rates, now, random }: Pick<AuthorizationEndpointServices, 'audit' | 'rates' | 'now' | 'random'>,
  { context, address }: BrowserRequest,
  refused: RefusedRequest | undefined,
): Promise<{ readonly refused?: RefusedRequest }> {
  if (refused === undefined) return {};
  const counted = await rates.attempt(authorizationRefusalsByAddress, callerBlock(address));
  if (counted.kind === 'limited') return {};
  const { clientId, reason } = refused;
  const decision = { action: 'authorization.request', outcome: 'refused', reason } as const;
  await audit.record(auditEvent(context, { ...decision, actor: 'member', clientId }, now(), random.uuid()));
  return { refused };
}
