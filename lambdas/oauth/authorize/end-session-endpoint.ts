import type { OAuthClient } from '../client.ts';
import { memberSessionId, secretCookie, secretOf } from '../connected-apps/member-session.ts';
import { endSessionPage } from '../pages/end-session-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { pageAddress } from '../pages/paths.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import type { MessageReason } from '../pages/words/strings.ts';
import { type Parameters, parameterOf } from '../parameters.ts';
import { isSameOrigin } from './browser-binding.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import { endSsoSession, findSsoSession } from './browser-sso-session.ts';
import { connectedAppsClientId } from './complete-sign-in.ts';
import { matchesRegistered } from './redirect-uri.ts';

/** The parameters of a logout request that are heeded (OpenID Connect RP-Initiated Logout 1.0 section 2). */
const logoutParameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const;

interface LogoutRequest {
  /** The application that asks; undefined where nobody says so. */
  readonly client: OAuthClient | undefined;
  /** Whom its id_token names; undefined where it sent none of ours. */
  readonly subject: string | undefined;
  /** Where the browser goes then: the registered address, with `state`. */
  readonly location: string | undefined;
}

/**
 * The end-session endpoint (OpenID Connect RP-Initiated Logout 1.0). An application that shows an id_token of the member whose
 * sign-in this browser keeps ends that sign-in at once; anybody else's link asks the member first. What is shared goes on.
 */
export async function showEndSession(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const asked = await logoutRequest(server, request, request.query);
  if (typeof asked === 'string') return messagePage(400, asked, request.language);
  const { client, subject, location } = asked;
  const session = await findSsoSession(server, request);
  const open = session?.state === 'open' && session.expiresAt > server.now() / 1000 ? session : undefined;
  if (subject !== undefined && (open === undefined || open.member.sub === subject))
    return await signOut(server, request, asked);
  const html = endSessionPage({
    ...{
      language: request.language,
      lob: request.lob,
      application: client?.displayName ?? client?.clientName,
    },
    parameters: parametersSent(request.query, logoutParameters),
  });
  return { status: 200, html, ...(location !== undefined && { formAction: formActionOf(location) }) };
}

/**
 * The same by POST, and the member's answer on its page. An application's form comes without our cookies, which are at most
 * `SameSite=Lax`: it is sent on as a GET, which has them.
 */
export async function submitEndSession(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const { form, lob, language } = request;
  const answer = parameterOf(form, 'answer');
  if (answer === undefined) {
    const query = Object.fromEntries(parametersSent(form, logoutParameters));
    return { location: `${server.origins.auth}${pageAddress(lob, 'logout', query)}` };
  }
  if (!isSameOrigin(server.origins.auth, request.origin, request.fetchSite))
    return messagePage(403, 'form_foreign', language);
  if (answer !== 'sign-out') return messagePage(200, 'still_signed_in', language);
  const asked = await logoutRequest(server, request, form);
  return typeof asked === 'string'
    ? messagePage(400, asked, language)
    : await signOut(server, request, asked);
}

/** Ends what this browser keeps for the LOB, and the session of the connected apps. */
async function signOut(
  server: AuthorizationServer,
  request: BrowserRequest,
  { client, location }: LogoutRequest,
): Promise<BrowserResponse> {
  const { lob, cookies, language } = request;
  const cleared = await endSsoSession(
    server,
    request,
    'signed_out',
    client?.clientId ?? connectedAppsClientId,
  );
  const session = secretOf(cookies, 'session', lob);
  if (session !== undefined) await server.signIns.endSession(lob, memberSessionId(session, server.digests));
  const setCookies = [...cleared, secretCookie('session', lob, '', 0)];
  return location === undefined
    ? { ...messagePage(200, 'signed_out', language), setCookies }
    : { location, setCookies };
}

/** What is asked for, or why it can't be believed. Nobody is sent to an address that is not registered (section 3). */
async function logoutRequest(
  { hints, clients }: AuthorizationServer,
  { lob }: BrowserRequest,
  parameters: Parameters,
): Promise<LogoutRequest | MessageReason> {
  const idToken = parameterOf(parameters, 'id_token_hint');
  const hint = idToken === undefined ? undefined : await hints.read(lob, idToken);
  const clientId = parameterOf(parameters, 'client_id') ?? hint?.clientId;
  if (hint !== undefined && hint.clientId !== clientId) return 'logout_request_malformed';
  const client = clientId === undefined ? undefined : await clients.find(clientId);
  const target = parameterOf(parameters, 'post_logout_redirect_uri');
  const subject = hint?.subject;
  if (target === undefined) return { client, subject, location: undefined };
  if (client?.state !== 'active' || !isRegistered(client, target)) return 'logout_uri_unregistered';
  const state = parameterOf(parameters, 'state');
  const query =
    state === undefined ? '' : `${target.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
  return { client, subject, location: `${target}${query}` };
}

/** Compared as a redirect URI is: letter by letter, but for the port of a native app's own machine. */
function isRegistered(client: OAuthClient, uri: string): boolean {
  const { postLogoutRedirectUris: redirectUris = [], tokenEndpointAuthMethod } = client;
  return matchesRegistered({ redirectUris, tokenEndpointAuthMethod }, uri);
}

function parametersSent(
  parameters: Parameters,
  names: readonly string[],
): readonly (readonly [string, string])[] {
  return names.flatMap((name) => {
    const value = parameterOf(parameters, name);
    return value === undefined ? [] : [[name, value] as const];
  });
}
