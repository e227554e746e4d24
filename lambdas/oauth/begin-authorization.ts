import { fhirBase, memberIssuer } from '../catalog/addresses.ts';
import { auditEvent } from './audit-event.ts';
import { type AuthorizationVerdict, verifyAuthorizationRequest } from './authorization-request.ts';
import { errorResponse } from './authorization-response.ts';
import { interactionIdOf, newBinding, setCookie } from './browser-binding.ts';
import type { AuthorizationServer, BrowserAnswer, BrowserRequest } from './browser-step.ts';
import { messagePage } from './pages/message-page.ts';
import { type Parameters, parameterOf } from './parameters.ts';
import { signInAnswer } from './sign-in-step.ts';

/** A client id is at most this long; a longer one is not worth a read. */
const longestClientId = 64;

/**
 * The authorization endpoint (RFC 6749 section 3.1): checks the request and opens an interaction with the sign-in page,
 * or refuses. GET has the parameters in the query, POST in the form (OpenID Connect Core section 3.1.2.1).
 */
export async function beginAuthorization(
  server: AuthorizationServer,
  request: BrowserRequest,
  parameters: Parameters,
): Promise<BrowserAnswer> {
  const clientId = parameterOf(parameters, 'client_id');
  const worthReading = clientId !== undefined && clientId.length <= longestClientId;
  const verdict = verifyAuthorizationRequest({
    parameters,
    lob: request.lob,
    audience: fhirBase(server.origins, request.lob, 'patient-access'),
    client: worthReading ? await server.clients.find(clientId) : undefined,
  });
  if (verdict.kind === 'accepted') return await open(server, request, verdict);
  await recordRefusal(server, request, verdict, clientId);
  if (verdict.kind === 'page') return messagePage(400, verdict.reason, request.language);
  const issuer = memberIssuer(server.origins, request.lob);
  return { location: errorResponse(verdict, issuer, verdict.error) };
}

async function open(
  server: AuthorizationServer,
  browser: BrowserRequest,
  { client, request }: AuthorizationVerdict & { readonly kind: 'accepted' },
): Promise<BrowserAnswer> {
  const binding = newBinding(server.random);
  const interaction = {
    interactionId: interactionIdOf(binding, server.digests),
    state: 'signing-in',
    request,
    language: browser.language,
    expiresAt: Math.floor(server.now() / 1000) + server.interactionSeconds,
  } as const;
  await server.store.begin(browser.lob, interaction);
  const answer = signInAnswer(server, { binding, interaction, client, request: browser });
  return { ...answer, setCookies: [setCookie(binding, server.interactionSeconds)] };
}

/** On record where it is about a registered application; a stranger's request could otherwise fill the audit. */
async function recordRefusal(
  { audit, now, random }: AuthorizationServer,
  { context }: BrowserRequest,
  verdict: Exclude<AuthorizationVerdict, { readonly kind: 'accepted' }>,
  clientId: string | undefined,
): Promise<void> {
  const reason = verdict.kind === 'page' ? verdict.reason : verdict.error.error;
  if (clientId === undefined || reason === 'client_unknown') return;
  const decision = { action: 'authorization.request', outcome: 'refused', reason } as const;
  await audit.record(auditEvent(context, { ...decision, actor: 'member', clientId }, now(), random.uuid()));
}
