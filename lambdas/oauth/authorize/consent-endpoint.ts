import { memberIssuer } from '../../catalog/addresses.ts';
import { includesOfflineAccess } from '../../catalog/scopes.ts';
import { auditEvent } from '../audit-event.ts';
import { applicationOf } from '../pages/application.ts';
import { consentPage } from '../pages/consent-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import { parameterOf } from '../parameters.ts';
import type { SignedInMember } from '../ports.ts';
import { identifiesMember } from '../scope-grant.ts';
import { codeResponse, errorResponse } from './authorization-response.ts';
import type { AnswerInSsoSession } from './authorization-store.ts';
import {
  bindingCookie,
  clearBindingCookie,
  createBinding,
  formTokenOf,
  interactionIdOf,
} from './browser-binding.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import { endSsoSession } from './browser-sso-session.ts';
import { isChoice, narrowedScope, requestedGroups } from './consent-decision.ts';
import {
  type ClientInteraction,
  findInteractionOfForm,
  findInteractionOfQuery,
  interactionOfClient,
} from './find-interaction.ts';
import type { Grant } from './interaction.ts';
import { createAuthorizationCode } from './issue-authorization-code.ts';
import { interactionPageUrl } from './next-page.ts';

/** The consent page: what is shared, with whom, until when. */
export async function showConsent(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const found = await findInteractionOfQuery(server, request);
  if ('refused' in found) return found.refused;
  const asked = interactionOfClient(found);
  const { member } = found.interaction;
  if (found.interaction.state === 'verifying')
    return { location: interactionPageUrl(server, request, found, 'code') };
  if (asked === undefined || member === undefined)
    return messagePage(400, 'interaction_unknown', found.request.language);
  return { ...page(server, asked, member), status: 200 };
}

/** The member's answer. Sharing or not is final: the interaction ends with it. */
export async function submitConsent(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const found = await findInteractionOfForm(server, request);
  if ('refused' in found) return found.refused;
  const asked = interactionOfClient(found);
  const { member, state } = found.interaction;
  if (asked === undefined || member === undefined || state !== 'consenting')
    return messagePage(400, 'interaction_unknown', found.request.language);
  const answer = parameterOf(request.form, 'answer');
  if (answer === 'share') return await share(server, asked, member);
  if (answer === 'decline') return await decline(server, asked, member);
  if (answer === 'switch') return await switchAccount(server, asked, member);
  return messagePage(400, 'answer_missing', found.request.language);
}

/** Grant, code, interaction and audit event in one transaction: of two answers at once one counts. */
async function share(
  server: AuthorizationServer,
  found: ClientInteraction,
  member: SignedInMember,
): Promise<BrowserResponse> {
  const { interaction, binding, request, client } = found;
  const { lob, language } = request;
  const { scope: asked } = interaction.request;
  const groups = requestedGroups(asked, client.products);
  const ticked = isChoice(groups) ? (request.form.get('group') ?? []) : groups.map(({ id }) => id);
  const scope = narrowedScope(asked, client.products, ticked);
  if (scope === undefined) return { ...page(server, found, member, true), status: 400 };
  // The page may have stood open while the account was closed.
  if (await server.isAccountClosed(lob, member)) return await decline(server, found, member, 'account_ended');
  const now = Math.floor(server.now() / 1000);
  const grant = createGrant(server, interaction.request.clientId, scope, member);
  const { request: wanted, authTime = now, interactionId } = interaction;
  const { grantId } = grant;
  const { text, code } = createAuthorizationCode(
    server,
    { request: wanted, member, authTime, grantId, scope },
    now,
  );
  const audit = event(server, found, member, { outcome: 'succeeded', grantId });
  const shared = await server.store.share({
    lob,
    interactionId,
    now,
    grant,
    code,
    audit,
    ...ssoSessionOf(found),
  });
  if (!shared) return messagePage(400, 'interaction_answered', language);
  const location = codeResponse(wanted, memberIssuer(server.origins, lob), text);
  return { location, setCookies: [clearBindingCookie(binding)] };
}

async function decline(
  server: AuthorizationServer,
  found: ClientInteraction,
  member: SignedInMember,
  reason: 'member_declined' | 'account_ended' = 'member_declined',
): Promise<BrowserResponse> {
  const { interaction, binding, request } = found;
  const declined = await server.store.decline({
    lob: request.lob,
    interactionId: interaction.interactionId,
    now: Math.floor(server.now() / 1000),
    audit: event(server, found, member, { outcome: 'refused', reason }),
    ...ssoSessionOf(found),
  });
  if (!declined) return messagePage(400, 'interaction_answered', request.language);
  const refusal = { error: 'access_denied', description: 'the member declined to share data' } as const;
  const location = errorResponse(interaction.request, memberIssuer(server.origins, request.lob), refusal);
  return { location, setCookies: [clearBindingCookie(binding)] };
}

/**
 * Back to the sign-in for the same request, in an interaction of its own: a consent page of the first member still open in
 * another tab can't share the second one's data. Its time isn't prolonged. The sign-in that the first one kept ends before.
 */
async function switchAccount(
  server: AuthorizationServer,
  found: ClientInteraction,
  member: SignedInMember,
): Promise<BrowserResponse> {
  const { interaction, binding, request } = found;
  const { lob, language } = request;
  const cleared = await endSsoSession(server, request, 'account_switched', interaction.request.clientId);
  const now = Math.floor(server.now() / 1000);
  const next = createBinding(server.random);
  const { expiresAt } = interaction;
  const switched = await server.signIns.switchAccount({
    lob,
    interactionId: interaction.interactionId,
    now,
    next: {
      interactionId: interactionIdOf(next, server.digests),
      state: 'signing-in',
      request: interaction.request,
      language,
      expiresAt,
    },
    audit: event(server, found, member, { outcome: 'refused', reason: 'account_switched' }),
  });
  if (!switched) return messagePage(400, 'interaction_answered', language);
  const location = interactionPageUrl(server, request, { binding: next }, 'sign-in');
  return {
    location,
    setCookies: [bindingCookie(next, expiresAt - now), clearBindingCookie(binding), ...cleared],
  };
}

function page(
  server: AuthorizationServer,
  { request, client, interaction, binding }: ClientInteraction,
  member: SignedInMember,
  nothingChosen = false,
) {
  const { scope, redirectUri } = interaction.request;
  const html = consentPage({
    language: request.language,
    lob: request.lob,
    application: applicationOf(client),
    groups: requestedGroups(scope, client.products),
    identity: identifiesMember(scope.split(' ')),
    memberName: member.displayName,
    lasting: includesOfflineAccess(scope),
    accessSeconds: accessSeconds(server, scope),
    now: server.now(),
    handle: binding.handle,
    formToken: formTokenOf(binding, server.digests),
    nothingChosen,
  });
  return { html, formAction: formActionOf(redirectUri) };
}

/** How long access lasts once the member agreed. */
function accessSeconds(
  { accessTokenSeconds, grantSeconds }: Pick<AuthorizationServer, 'accessTokenSeconds' | 'grantSeconds'>,
  scope: string,
): number {
  return includesOfflineAccess(scope) ? grantSeconds : accessTokenSeconds;
}

/** Pending, and as short as its code, until the code is redeemed, which says when the grant ends. */
function createGrant(
  { random, now, authorizationCodeSeconds }: AuthorizationServer,
  clientId: string,
  scope: string,
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
    expiresAt: Math.floor(nowMs / 1000) + authorizationCodeSeconds,
  };
}

/** The SSO session the answer is given in. */
function ssoSessionOf({
  interaction: { ssoSessionId, continued = false, request },
}: ClientInteraction): AnswerInSsoSession {
  return ssoSessionId === undefined
    ? {}
    : { ssoSession: { ssoSessionId, continued, clientId: request.clientId } };
}

function event(
  { now, random }: AuthorizationServer,
  { request, client: { clientId } }: ClientInteraction,
  { sub, patientId }: SignedInMember,
  decision: {
    readonly outcome: 'succeeded' | 'refused';
    readonly reason?: string;
    readonly grantId?: string;
  },
) {
  const about = { action: 'grant.create', actor: sub, clientId, patientId } as const;
  return auditEvent(request.context, { ...about, ...decision }, now(), random.uuid());
}
