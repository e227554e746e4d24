import { memberIssuer } from '../catalog/addresses.ts';
import { isLasting } from '../catalog/scopes.ts';
import { auditEvent } from './audit-event.ts';
import { codeResponse, errorResponse } from './authorization-response.ts';
import { clearCookie, formTokenOf } from './browser-binding.ts';
import type { AuthorizationServer, BrowserAnswer, BrowserRequest } from './browser-step.ts';
import type { AuthorizationCode, Grant } from './interaction.ts';
import { interactionOfForm, interactionOfQuery, type OpenInteraction } from './open-interaction.ts';
import { applicationOf } from './pages/application.ts';
import { consentPage } from './pages/consent-page.ts';
import { messagePage } from './pages/message-page.ts';
import { formActionOf } from './pages/sign-in-page.ts';
import { parameterOf } from './parameters.ts';
import type { SignedInMember } from './ports.ts';

/** The consent page: what is shared, with whom, until when. */
export async function showConsent(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserAnswer> {
  const found = await interactionOfQuery(server, request);
  if ('refused' in found) return found.refused;
  const { interaction, client, binding } = found;
  if (interaction.member === undefined) return messagePage(400, 'interaction_unknown');
  const html = consentPage({
    lob: request.lob,
    application: applicationOf(client),
    products: client.products,
    memberName: interaction.member.displayName,
    scope: interaction.request.scope,
    accessSeconds: accessSeconds(server, interaction.request.scope),
    now: server.now(),
    handle: binding.handle,
    formToken: formTokenOf(binding, server.digests),
  });
  return { status: 200, html, formAction: formActionOf(interaction.request.redirectUri) };
}

/** The member's answer. Either way it is final: the interaction ends with it. */
export async function consentStep(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserAnswer> {
  const found = await interactionOfForm(server, request);
  if ('refused' in found) return found.refused;
  const { member } = found.interaction;
  if (member === undefined) return messagePage(400, 'interaction_unknown');
  const answer = parameterOf(request.form, 'answer');
  if (answer === 'share') return await share(server, request, found, member);
  return answer === 'decline'
    ? await decline(server, request, found, member)
    : messagePage(400, 'answer_missing');
}

/** Grant, code, interaction and audit event in one transaction: of two answers at once one counts. */
async function share(
  server: AuthorizationServer,
  request: BrowserRequest,
  { interaction, binding }: OpenInteraction,
  member: SignedInMember,
): Promise<BrowserAnswer> {
  const { lob } = request;
  const code = server.random.token();
  const grant = newGrant(server, interaction.request, member);
  const shared = await server.store.share({
    lob,
    interactionId: interaction.interactionId,
    now: Math.floor(server.now() / 1000),
    grant,
    code: newCode(server, interaction, member, grant, server.digests.sha256Hex(code)),
    audit: event(server, request, interaction.request.clientId, member, {
      outcome: 'succeeded',
      grantId: grant.grantId,
    }),
  });
  if (!shared) return messagePage(400, 'interaction_answered');
  const location = codeResponse(interaction.request, memberIssuer(server.origins, lob), code);
  return { location, setCookie: clearCookie(binding) };
}

async function decline(
  server: AuthorizationServer,
  request: BrowserRequest,
  { interaction, binding }: OpenInteraction,
  member: SignedInMember,
): Promise<BrowserAnswer> {
  const declined = await server.store.decline({
    lob: request.lob,
    interactionId: interaction.interactionId,
    now: Math.floor(server.now() / 1000),
    audit: event(server, request, interaction.request.clientId, member, {
      outcome: 'refused',
      reason: 'member_declined',
    }),
  });
  if (!declined) return messagePage(400, 'interaction_answered');
  const refusal = { error: 'access_denied', description: 'the member did not agree to share data' } as const;
  const location = errorResponse(interaction.request, memberIssuer(server.origins, request.lob), refusal);
  return { location, setCookie: clearCookie(binding) };
}

/** How long access lasts once the member agreed. */
function accessSeconds(
  { accessTokenSeconds, grantSeconds }: Pick<AuthorizationServer, 'accessTokenSeconds' | 'grantSeconds'>,
  scope: string,
): number {
  return isLasting(scope) ? grantSeconds : accessTokenSeconds;
}

/** Pending until the code is redeemed, which says when it ends. */
function newGrant(
  { random, now, codeSeconds, ...lifetimes }: AuthorizationServer,
  { clientId, scope }: OpenInteraction['interaction']['request'],
  { sub, patientId }: SignedInMember,
): Grant {
  const nowMs = now();
  return {
    grantId: random.uuid(),
    clientId,
    sub,
    patientId,
    scope,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: Math.floor(nowMs / 1000) + codeSeconds + accessSeconds(lifetimes, scope),
  };
}

function newCode(
  { now, codeSeconds }: AuthorizationServer,
  { request, authTime }: OpenInteraction['interaction'],
  { sub, patientId }: SignedInMember,
  { grantId }: Grant,
  sha256: string,
): AuthorizationCode {
  const nowSeconds = Math.floor(now() / 1000);
  const { clientId, redirectUri, codeChallenge, scope, nonce } = request;
  const asked = { clientId, redirectUri, codeChallenge, scope, nonce };
  const expiresAt = nowSeconds + codeSeconds;
  return {
    sha256,
    state: 'issued',
    ...asked,
    grantId,
    sub,
    patientId,
    authTime: authTime ?? nowSeconds,
    expiresAt,
  };
}

function event(
  { now, random }: AuthorizationServer,
  { context }: BrowserRequest,
  clientId: string,
  { sub, patientId }: SignedInMember,
  decision: {
    readonly outcome: 'succeeded' | 'refused';
    readonly reason?: string;
    readonly grantId?: string;
  },
) {
  const about = { action: 'grant.create', actor: sub, clientId, patientId } as const;
  return auditEvent(context, { ...about, ...decision }, now(), random.uuid());
}
