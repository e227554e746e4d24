/** End-session endpoint: RP-initiated logout. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import { isFederatedSubject } from '../../catalog/oauth/identity-providers.ts';
import type { ClientReader } from '../oauth/client-ports.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { type Parameters, parameterOf } from '../oauth/parameters.ts';
import { pageAddress } from '../oauth/paths.ts';
import { matchesRegistered } from '../oauth/redirect-uri.ts';
import type { IdTokenHints } from '../oauth/token-ports.ts';
import { applicationOf } from '../pages/application.ts';
import { endSessionPage } from '../pages/end-session-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import type { MessageReason } from '../pages/words/strings.ts';
import { isSameOrigin } from './browser-binding.ts';
import type { BrowserRequest, BrowserResponse } from './browser-request.ts';
import { type EndSsoSessionServices, endSsoSession, findSsoSession } from './browser-sso-session.ts';
import { connectedAppsClientId } from './complete-authentication.ts';
import { connectedAppsSessionId, secretCookie, secretOf } from './connected-apps-session.ts';
import { continueToProviderLogout } from './provider-logout.ts';
import type { FirstPageServices } from './sign-in-response.ts';
import type { SignInStore } from './sign-in-store-port.ts';

export interface LogoutServices {
  readonly origins: EnvironmentOrigins;
  readonly clients: ClientReader;
  readonly hints: IdTokenHints;
}

export type EndSessionServices = EndSsoSessionServices &
  LogoutServices & {
    readonly providerOf: FirstPageServices['providerOf'];
    readonly signIns: Pick<SignInStore, 'endSession'>;
  };

/** The supported parameters of a logout request (OpenID Connect RP-Initiated Logout 1.0 section 2). */
export const logoutParameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const;

/** A logout request whose hint and address are verified. */
interface LogoutRequest {
  readonly kind: 'request';
  /** The application that requests the logout; undefined if the request names none. */
  readonly client: OAuthClient | undefined;
  /** The subject of the `id_token_hint`; undefined without a valid one of this issuer. */
  readonly subject: string | undefined;
  /** Registered address that the browser is redirected to after the logout, with `state`. */
  readonly location: string | undefined;
}

interface LogoutRefusal {
  readonly kind: 'refusal';
  readonly refusal: MessageReason;
}

/**
 * Handles the end-session endpoint (OpenID Connect RP-Initiated Logout 1.0). If the request has an id_token of the member whose SSO session
 * is open in this browser, the session ends at once; otherwise a page asks the member first. Grants stay.
 */
export async function showEndSession(
  services: EndSessionServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const asked = await verifyLogoutRequest(services, request, request.query);
  if (asked.kind === 'refusal') return messagePage(400, asked.refusal, request.language);
  const { client, subject, location } = asked;
  const session = await findSsoSession(services, request);
  const open = session?.state === 'open' && session.expiresAt > services.now() / 1000 ? session : undefined;
  if (subject !== undefined && (open === undefined || open.member.sub === subject))
    return await signOut(services, request, asked, request.query);
  const html = endSessionPage({
    language: request.language,
    lob: request.lob,
    application: client && applicationOf(client).name,
    parameters: parametersSent(request.query, logoutParameters),
  });
  return {
    kind: 'page',
    status: 200,
    html,
    ...(location !== undefined && { formAction: formActionOf(location) }),
  };
}

/**
 * Handles a POST of the end-session endpoint, and the member's answer on its page. An application's form arrives without our cookies, which
 * are `SameSite=Lax` or `Strict`, so the browser is redirected to a GET that has them.
 */
export async function submitEndSession(
  services: EndSessionServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const { form, lob, language } = request;
  const answer = parameterOf(form, 'answer');
  if (answer === undefined) {
    const query = Object.fromEntries(parametersSent(form, logoutParameters));
    return { kind: 'redirect', location: `${services.origins.auth}${pageAddress(lob, 'logout', query)}` };
  }
  if (!isSameOrigin(services.origins.auth, request.origin, request.fetchSite))
    return messagePage(403, 'form_foreign', language);
  if (answer !== 'sign-out') return messagePage(200, 'still_signed_in', language);
  const asked = await verifyLogoutRequest(services, request, form);
  return asked.kind === 'refusal'
    ? messagePage(400, asked.refusal, language)
    : await signOut(services, request, asked, form);
}

/** Ends this browser's SSO session for the LOB, and its session of the connected apps. */
async function signOut(
  services: EndSessionServices,
  request: BrowserRequest,
  { client, subject, location }: LogoutRequest,
  parameters: Parameters,
): Promise<BrowserResponse> {
  const { lob, cookies, language } = request;
  const cleared = await endSsoSession(
    services,
    request,
    'signed_out',
    client?.clientId ?? connectedAppsClientId,
  );
  const session = secretOf(cookies, 'session', lob);
  if (session !== undefined)
    await services.signIns.endSession(lob, connectedAppsSessionId(session, services.digests));
  const setCookies = [...cleared, secretCookie('session', lob, '', 0)];
  const provider = services.providerOf(lob);
  const isFederated = subject === undefined ? provider?.localAccounts === false : isFederatedSubject(subject);
  if (provider !== undefined && isFederated) {
    // The provider can't verify our id_token, so the hint is not passed on.
    const { id_token_hint: _ours, ...query } = Object.fromEntries(
      parametersSent(parameters, logoutParameters),
    );
    const named = client === undefined ? query : { ...query, client_id: client.clientId };
    return continueToProviderLogout(provider, request, named, setCookies);
  }
  return location === undefined
    ? { ...messagePage(200, 'signed_out', language), setCookies }
    : { kind: 'redirect', location, setCookies };
}

/** Verifies a logout request. The browser is redirected to a registered address only (section 3). */
export async function verifyLogoutRequest(
  { hints, clients }: LogoutServices,
  { lob }: BrowserRequest,
  parameters: Parameters,
): Promise<LogoutRequest | LogoutRefusal> {
  const idToken = parameterOf(parameters, 'id_token_hint');
  const hint = idToken === undefined ? undefined : await hints.read(lob, idToken);
  const clientId = parameterOf(parameters, 'client_id') ?? hint?.clientId;
  if (hint !== undefined && hint.clientId !== clientId) return refuse('logout_request_malformed');
  const client = clientId === undefined ? undefined : await clients.find(clientId);
  const target = parameterOf(parameters, 'post_logout_redirect_uri');
  const subject = hint?.subject;
  if (target === undefined) return { kind: 'request', client, subject, location: undefined };
  if (client?.state !== 'active' || !isRegistered(client, target)) return refuse('logout_uri_unregistered');
  const state = parameterOf(parameters, 'state');
  const query =
    state === undefined ? '' : `${target.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
  return { kind: 'request', client, subject, location: `${target}${query}` };
}

function refuse(refusal: MessageReason): LogoutRefusal {
  return { kind: 'refusal', refusal };
}

/** Whether an address is registered, compared as a redirect URI is: exactly, except for the port of a loopback address. */
function isRegistered(client: OAuthClient, uri: string): boolean {
  const { postLogoutRedirectUris: redirectUris = [], tokenEndpointAuthMethod } = client;
  return matchesRegistered({ redirectUris, tokenEndpointAuthMethod }, uri);
}

export function parametersSent(
  parameters: Parameters,
  names: readonly string[],
): readonly (readonly [string, string])[] {
  return names.flatMap((name) => {
    const value = parameterOf(parameters, name);
    return value === undefined ? [] : [[name, value] as const];
  });
}
