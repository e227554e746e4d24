/** Handles the consent page: shows the request, and creates the authorization code or the `access_denied` response. */

import { memberIssuer } from '../../catalog/addresses.ts';
import { isChoice } from '../../catalog/fhir/data-groups.ts';
import { includesOfflineAccess } from '../../catalog/oauth/scopes.ts';
import { aboutPatient, auditEvent } from '../oauth/audit-decision.ts';
import type { IsAccountClosed, SignedInMember } from '../oauth/member-account.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { federationAddress } from '../oauth/paths.ts';
import { identifiesMember } from '../oauth/scope-grant.ts';
import { accountEndedPage } from '../pages/account-ended-page.ts';
import { applicationOf } from '../pages/application.ts';
import { consentPage } from '../pages/consent-page.ts';
import { continuePage } from '../pages/continue-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { codeResponse, errorResponse } from './authorization-response.ts';
import type { AnswerInSsoSession, AuthorizationStore, ReplacedGrant } from './authorization-store-port.ts';
import {
  authorizationCodeOf,
  clearBindingCookie,
  createBinding,
  formTokenOf,
  interactionIdOf,
} from './browser-binding.ts';
import type { BrowserRequest, BrowserResponse, PageResponse } from './browser-request.ts';
import { type EndSsoSessionServices, endSsoSession } from './browser-sso-session.ts';
import { narrowedScope, requestedGroups } from './consent-decision.ts';
import { accessSeconds, type ConsentLifetimes, chosenSeconds, daysOffered } from './consent-duration.ts';
import { type AuthorizationCodeServices, createAuthorizationCode } from './create-authorization-code.ts';
import {
  type ClientInteraction,
  findInteractionOfForm,
  findInteractionOfQuery,
  type InteractionServices,
  interactionOfClient,
} from './find-interaction.ts';
import type { Grant } from './interaction.ts';
import type { MemberGrants } from './member-grants-port.ts';
import { redirectToPage } from './redirect-to-page.ts';
import { declinedDescription, lateAnswer, refusedAnswer } from './repeated-answer.ts';
import { consentReplaced, replacedGrants } from './replaced-grants.ts';
import { beginningCookie, type FirstPageServices } from './sign-in-response.ts';
import type { SignInStore } from './sign-in-store-port.ts';

export type ConsentServices = InteractionServices &
  EndSsoSessionServices &
  AuthorizationCodeServices &
  ConsentLifetimes & {
    readonly store: Pick<AuthorizationStore, 'share' | 'decline' | 'code'>;
    readonly signIns: Pick<SignInStore, 'switchAccount'>;
    readonly providerOf: FirstPageServices['providerOf'];
    readonly isAccountClosed: IsAccountClosed;
    readonly grants: Pick<MemberGrants, 'endable'>;
  };

/** Shows the consent page: which data is shared, with which application, until when. */
export async function showConsent(
  services: ConsentServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findInteractionOfQuery(services, request);
  if (result.kind === 'refusal') return result.response;
  const { found } = result;
  const asked = interactionOfClient(found);
  const { member } = found.interaction;
  if (found.interaction.state === 'verifying') return redirectToPage(services, request, found, 'code');
  if (found.interaction.state === 'choosing') return redirectToPage(services, request, found, 'patient');
  if (asked === undefined || member === undefined)
    return messagePage(400, 'interaction_unknown', found.request.language);
  return { ...page(services, asked, member), status: 200 };
}

/** Handles the member's answer. Each answer ends the interaction; the same answer again gets the same response. */
export async function submitConsent(
  services: ConsentServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findInteractionOfForm(services, request);
  if (result.kind === 'refusal') return await refusedAnswer(services, result);
  const { found } = result;
  const asked = interactionOfClient(found);
  const { member, state } = found.interaction;
  if (asked === undefined || member === undefined || state !== 'consenting')
    return messagePage(400, 'interaction_unknown', found.request.language);
  const answer = parameterOf(request.form, 'answer');
  if (answer === 'share') return await share(services, asked, member);
  if (answer === 'decline') return await decline(services, asked, member);
  if (answer === 'switch') return await switchAccount(services, asked, member);
  return messagePage(400, 'answer_missing', found.request.language);
}

/** Writes grant, code, interaction and audit event in one transaction, so that only one of two concurrent answers is written. */
async function share(
  services: ConsentServices,
  found: ClientInteraction,
  member: SignedInMember,
): Promise<BrowserResponse> {
  const { interaction, binding, request, client } = found;
  const { lob, language } = request;
  const { scope: asked } = interaction.request;
  const groups = requestedGroups(asked, client.products);
  const ticked = isChoice(groups) ? (request.form.get('group') ?? []) : groups.map(({ id }) => id);
  const scope = narrowedScope(asked, client.products, ticked);
  if (scope === undefined) return { ...page(services, found, member, true), status: 400 };
  // The account may have been closed, or its sessions ended, while the page was open.
  if (await services.isAccountClosed(lob, member)) return await endWithAccount(services, found, member);
  const chosen = chosenSeconds(services, request, scope);
  if (chosen === undefined) return messagePage(400, 'answer_missing', language);
  const now = Math.floor(services.now() / 1000);
  const grant = createGrant(services, interaction.request.clientId, scope, member);
  const { request: wanted, authTime = now, interactionId } = interaction;
  const { grantId } = grant;
  const text = authorizationCodeOf(binding, services.digests);
  const code = createAuthorizationCode(
    services,
    text,
    { request: wanted, member, authTime, grantId, scope, ...chosen },
    now,
  );
  const lifetime = chosen.grantSeconds ?? accessSeconds(services, scope);
  const replaces = await replacedBy(services, found, { ...grant, expiresAt: now + lifetime });
  const audit = event(services, found, member, { outcome: 'succeeded', grantId });
  const shared = await services.store.share({
    lob,
    interactionId,
    now,
    grant,
    code,
    replaces,
    audit,
    ...ssoSessionOf(found),
  });
  if (!shared) return await lateAnswer(services, found.request);
  const location = codeResponse(wanted, memberIssuer(services.origins, lob), text);
  return { kind: 'redirect', location, setCookies: [clearBindingCookie(binding)] };
}

/** Finds the application's earlier grants that go beyond this consent, each with the audit event of its end. */
async function replacedBy(
  { grants, now, random }: Pick<ConsentServices, 'grants' | 'now' | 'random'>,
  { request: { lob, context } }: ClientInteraction,
  grant: Grant,
): Promise<readonly ReplacedGrant[]> {
  const { patientId, clientId, sub } = grant;
  const earlier = await grants.endable(lob, patientId, Math.floor(now() / 1000));
  const who = { action: 'grant.revoke', actor: sub, clientId, ...aboutPatient(grant) } as const;
  return replacedGrants(earlier, grant).map(({ grantId }) => ({
    grantId,
    because: consentReplaced,
    audit: auditEvent(
      context,
      { ...who, outcome: 'succeeded', reason: consentReplaced, grantId },
      now(),
      random.uuid(),
    ),
  }));
}

async function decline(
  services: ConsentServices,
  found: ClientInteraction,
  member: SignedInMember,
): Promise<BrowserResponse> {
  const refusal = { reason: 'member_declined', description: declinedDescription } as const;
  const ended = await refuse(services, found, member, refusal);
  if (ended.kind !== 'ended') return ended;
  const { location } = ended;
  return { kind: 'redirect', location, setCookies: [clearBindingCookie(found.binding)] };
}

/**
 * Ends an interaction whose account has been closed, or its sessions ended: shows a page with the reason and a link to the application,
 * which receives `access_denied`.
 */
async function endWithAccount(
  services: ConsentServices,
  found: ClientInteraction,
  member: SignedInMember,
): Promise<BrowserResponse> {
  const description = 'the account of the member changed during the sign-in, so nothing was shared';
  const ended = await refuse(services, found, member, { reason: 'account_ended', description });
  if (ended.kind !== 'ended') return ended;
  const { client, request, binding } = found;
  const { lob, language } = request;
  const html = accountEndedPage({ language, lob, application: applicationOf(client), ...ended });
  return { kind: 'page', status: 403, html, setCookies: [clearBindingCookie(binding)] };
}

/**
 * Ends the interaction without a grant.
 *
 * @returns the application's address with `access_denied`, or the response to an interaction that was answered before.
 */
async function refuse(
  services: ConsentServices,
  found: ClientInteraction,
  member: SignedInMember,
  {
    reason,
    description,
  }: { readonly reason: 'member_declined' | 'account_ended'; readonly description: string },
): Promise<BrowserResponse | { readonly kind: 'ended'; readonly location: string }> {
  const { interaction, request } = found;
  const declined = await services.store.decline({
    lob: request.lob,
    interactionId: interaction.interactionId,
    now: Math.floor(services.now() / 1000),
    audit: event(services, found, member, { outcome: 'refused', reason }),
    ...ssoSessionOf(found),
  });
  if (!declined) return await lateAnswer(services, found.request);
  const issuer = memberIssuer(services.origins, request.lob);
  const location = errorResponse(interaction.request, issuer, { error: 'access_denied', description });
  return { kind: 'ended', location };
}

/**
 * Ends the first member's SSO session and redirects to the sign-in for the same request in a new interaction, so that a consent page of the
 * first member in another tab can't share the second member's data. The new interaction expires when the first one would have.
 */
async function switchAccount(
  services: ConsentServices,
  found: ClientInteraction,
  member: SignedInMember,
): Promise<BrowserResponse> {
  const { interaction, binding, request } = found;
  const { lob, language } = request;
  const cleared = await endSsoSession(services, request, 'account_switched', interaction.request.clientId);
  const now = Math.floor(services.now() / 1000);
  const next = createBinding(services.random);
  const { expiresAt } = interaction;
  const switched = await services.signIns.switchAccount({
    lob,
    interactionId: interaction.interactionId,
    now,
    next: {
      interactionId: interactionIdOf(next, services.digests),
      state: 'signing-in',
      request: switchedRequest(interaction.request),
      language,
      expiresAt,
    },
    audit: event(services, found, member, { outcome: 'refused', reason: 'account_switched' }),
  });
  if (!switched) return messagePage(400, 'interaction_answered', language);
  const setCookies = [
    beginningCookie(services, lob, next, expiresAt - now),
    clearBindingCookie(binding),
    ...cleared,
  ];
  const provider = services.providerOf(lob);
  if (provider?.localAccounts !== false)
    return redirectToPage(services, request, { binding: next }, 'sign-in', setCookies);
  const address = federationAddress(lob, 'start', { interaction: next.handle });
  const html = continuePage({ language, lob, provider: provider.label[language], address });
  return { kind: 'page', status: 200, html, setCookies };
}

/**
 * The same request for a sign-in with another account: `select_account` makes the identity provider ask again, even if the first member is
 * still signed in there.
 */
function switchedRequest(request: AuthorizationRequest): AuthorizationRequest {
  const { authentication } = request;
  return authentication === undefined
    ? request
    : {
        ...request,
        authentication: { ...authentication, prompts: ['select_account'], loginHint: undefined },
      };
}

function page(
  services: ConsentServices,
  { request, client, interaction, binding }: ClientInteraction,
  member: SignedInMember,
  nothingChosen = false,
): Omit<PageResponse, 'status'> {
  const { scope, redirectUri } = interaction.request;
  const html = consentPage({
    language: request.language,
    lob: request.lob,
    application: applicationOf(client),
    groups: requestedGroups(scope, client.products),
    identity: identifiesMember(scope.split(' ')),
    member,
    lasting: includesOfflineAccess(scope),
    accessSeconds: accessSeconds(services, scope),
    days: daysOffered(services, scope),
    now: services.now(),
    handle: binding.handle,
    formToken: formTokenOf(binding, services.digests),
    nothingChosen,
  });
  return { kind: 'page', html, formAction: formActionOf(redirectUri) };
}

/** Makes a pending grant. It expires with its code; redeeming the code sets the grant's own end. */
function createGrant(
  {
    random,
    now,
    authorizationCodeSeconds,
  }: Pick<ConsentServices, 'random' | 'now' | 'authorizationCodeSeconds'>,
  clientId: string,
  scope: string,
  { sub, patientId, representative }: SignedInMember,
): Grant {
  const nowMs = now();
  return {
    grantId: random.uuid(),
    clientId,
    sub,
    patientId,
    ...(representative !== undefined && { representative }),
    scope,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: Math.floor(nowMs / 1000) + authorizationCodeSeconds,
  };
}

/** The SSO session of the interaction in which the member answers, if there is one. */
function ssoSessionOf({
  interaction: { ssoSessionId, continued = false, request },
}: ClientInteraction): AnswerInSsoSession {
  return ssoSessionId === undefined
    ? {}
    : { ssoSession: { ssoSessionId, continued, clientId: request.clientId } };
}

function event(
  { now, random }: Pick<ConsentServices, 'now' | 'random'>,
  { request, client: { clientId } }: ClientInteraction,
  member: SignedInMember,
  decision: {
    readonly outcome: 'succeeded' | 'refused';
    readonly reason?: string;
    readonly grantId?: string;
  },
) {
  const about = { action: 'grant.create', actor: member.sub, clientId, ...aboutPatient(member) } as const;
  return auditEvent(request.context, { ...about, ...decision }, now(), random.uuid());
}
