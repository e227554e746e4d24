import { fhirBase, memberIssuer } from '../../catalog/addresses.ts';
import { auditEvent } from '../audit-event.ts';
import { messagePage } from '../pages/message-page.ts';
import { type Parameters, parameterOf } from '../parameters.ts';
import type { HintedMember } from './authentication-parameters.ts';
import type { AuthorizationError } from './authorization-error.ts';
import { type Accepted, verifyAuthorizationRequest } from './authorization-request.ts';
import { errorResponse } from './authorization-response.ts';
import { bindingCookie, createBinding, interactionIdOf } from './browser-binding.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import { continueSsoSession, findSsoSession } from './browser-sso-session.ts';
import { signInResponse } from './sign-in-endpoint.ts';
import { authorizeSilently, loginRequired } from './silent-authorization.ts';
import { type SsoSession, satisfiesAuthenticationParameters } from './sso-session.ts';

/** A client id is at most this long; a longer one is not worth a read. */
const longestClientId = 64;

/**
 * The authorization endpoint (RFC 6749 section 3.1): checks the request and leads to the sign-in page, to the consent page
 * where a sign-in is kept, or back to the application. GET has the parameters in the query, POST in the form (OpenID
 * Connect Core section 3.1.2.1).
 */
export async function beginAuthorization(
  server: AuthorizationServer,
  request: BrowserRequest,
  parameters: Parameters,
): Promise<BrowserResponse> {
  const clientId = parameterOf(parameters, 'client_id');
  const worthReading = clientId !== undefined && clientId.length <= longestClientId;
  const verdict = verifyAuthorizationRequest({
    parameters,
    lob: request.lob,
    audience: fhirBase(server.origins, request.lob, 'patient-access'),
    client: worthReading ? await server.clients.find(clientId) : undefined,
  });
  if (verdict.kind === 'page') {
    await recordRefusal(server, request, verdict.reason, clientId);
    return messagePage(400, verdict.reason, request.language);
  }
  const answer = verdict.kind === 'accepted' ? await authorize(server, request, verdict) : verdict.error;
  if (!('error' in answer)) return answer;
  await recordRefusal(server, request, answer.error, clientId);
  const target = verdict.kind === 'accepted' ? verdict.request : verdict;
  return { location: errorResponse(target, memberIssuer(server.origins, request.lob), answer) };
}

/** What follows from a good request: an SSO session is used where it may stand in for the password. */
async function authorize(
  server: AuthorizationServer,
  browser: BrowserRequest,
  accepted: Accepted,
): Promise<BrowserResponse | AuthorizationError> {
  const { authentication } = accepted;
  const hinted = await hintedMember(server, browser, accepted);
  const session = await findSsoSession(server, browser);
  const inTime =
    session !== undefined && satisfiesAuthenticationParameters(session, authentication, hinted, server.now())
      ? session
      : undefined;
  const usable = await ofActiveAccount(server, browser, inTime);
  const expectedSub = hinted === 'anyone' ? undefined : hinted.sub;
  const asked = { ...accepted, request: { ...accepted.request, expectedSub } };
  if (authentication.prompts.includes('none')) {
    return usable === undefined ? loginRequired : await authorizeSilently(server, browser, asked, usable);
  }
  const continued =
    usable === undefined ? undefined : await continueSsoSession(server, browser, asked, usable);
  return continued ?? (await beginInteraction(server, browser, asked));
}

/** As the password would be, an SSO session is of no use to an account that was closed meanwhile, with a page or without. */
async function ofActiveAccount(
  server: AuthorizationServer,
  { lob }: BrowserRequest,
  session: SsoSession | undefined,
): Promise<SsoSession | undefined> {
  return session !== undefined && (await server.isAccountActive(lob, session.member)) ? session : undefined;
}

async function hintedMember(
  { hints }: AuthorizationServer,
  { lob }: BrowserRequest,
  { client, authentication: { idTokenHint } }: Accepted,
): Promise<HintedMember> {
  if (idTokenHint === undefined) return 'anyone';
  const named = await hints.read(lob, idTokenHint);
  return { sub: named?.clientId === client.clientId ? named.subject : undefined };
}

async function beginInteraction(
  server: AuthorizationServer,
  browser: BrowserRequest,
  { client, request }: Accepted,
): Promise<BrowserResponse> {
  const binding = createBinding(server.random);
  const interaction = {
    interactionId: interactionIdOf(binding, server.digests),
    state: 'signing-in',
    request,
    language: browser.language,
    expiresAt: Math.floor(server.now() / 1000) + server.interactionSeconds,
  } as const;
  await server.store.begin(browser.lob, interaction);
  const answer = signInResponse(server, { binding, interaction, client, request: browser });
  return { ...answer, setCookies: [bindingCookie(binding, server.interactionSeconds)] };
}

/** On record where it is about a registered application; a stranger's request could otherwise fill the audit. */
async function recordRefusal(
  { audit, now, random }: AuthorizationServer,
  { context }: BrowserRequest,
  reason: string,
  clientId: string | undefined,
): Promise<void> {
  if (clientId === undefined || reason === 'client_unknown') return;
  const decision = { action: 'authorization.request', outcome: 'refused', reason } as const;
  await audit.record(auditEvent(context, { ...decision, actor: 'member', clientId }, now(), random.uuid()));
}
