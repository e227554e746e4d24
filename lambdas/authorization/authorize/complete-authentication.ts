/** Continues an interaction after the member is authenticated: to the choice of a patient, consent, or connected apps. */

import { type EnvironmentOrigins, memberIssuer } from '../../catalog/addresses.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import { type AuditDecision, type AuditTrail, aboutPatient, auditEvent } from '../oauth/audit-decision.ts';
import {
  type AuthenticatedAccount,
  actingFor,
  referenceTo,
  type SignedInMember,
  soleMember,
} from '../oauth/member-account.ts';
import { pagePath } from '../oauth/paths.ts';
import { messagePage } from '../pages/message-page.ts';
import { errorResponse } from './authorization-response.ts';
import type { AuthorizationStore, ProviderProof } from './authorization-store-port.ts';
import { clearBindingCookie } from './browser-binding.ts';
import type { BrowserRequest, BrowserResponse } from './browser-request.ts';
import { createSsoSession, type EndSsoSessionServices, endSsoSession } from './browser-sso-session.ts';
import {
  connectedAppsSessionId,
  connectedAppsSessionSeconds,
  knownBrowserSeconds,
  secretCookie,
} from './connected-apps-session.ts';
import type { FoundInteraction } from './find-interaction.ts';
import { redirectToOtherPage, redirectToPage } from './redirect-to-page.ts';
import type { RightCode, SignInStore } from './sign-in-store-port.ts';
import type { SentVerificationCode } from './verification-code.ts';

export interface CompleteAuthenticationServices extends EndSsoSessionServices {
  readonly origins: EnvironmentOrigins;
  readonly store: Pick<AuthorizationStore, 'signIn' | 'interaction'>;
  readonly signIns: Pick<SignInStore, 'rightCode' | 'askPatient' | 'visit' | 'otherMember'>;
  readonly audit: AuditTrail;
  readonly random: Random;
  readonly now: Clock;
}

/** Client ID in the audit of a sign-in to the connected apps: no application requests that sign-in. */
export const connectedAppsClientId = 'connected-apps';

/** An authentication: by password, by the plan's identity provider, or by the activation of an account. */
export interface CompletedAuthentication {
  readonly account: AuthenticatedAccount;
  /** Whether the member requested an SSO session. */
  readonly keep: boolean;
  /** The verification code that was entered. */
  readonly verification?: SentVerificationCode;
  /** The answer of the plan's identity provider. */
  readonly provider?: ProviderProof & { readonly issuer: string };
}

/** Proof that a sign-in may continue: the right code, and the cookie that makes the browser a known one. */
interface SignInProof {
  readonly right: RightCode | undefined;
  readonly known: readonly string[];
  readonly provider: CompletedAuthentication['provider'];
}

/**
 * Completes an authentication of any kind: redirects to the consent page, to the choice between several patients, or to the connected apps.
 * It redirects, so that a reload does not send the password or code again.
 */
export async function completeAuthentication(
  services: CompleteAuthenticationServices,
  request: BrowserRequest,
  found: FoundInteraction,
  done: CompletedAuthentication,
): Promise<BrowserResponse> {
  const { account, verification } = done;
  if (verification === undefined && isOtherMember(found, account))
    return await refuseOtherMember(services, found, account, done.provider);
  const [patient] = account.patients;
  if (patient === undefined) return await refuseWithoutPatient(services, request, found, account);
  const secret = services.random.token();
  const browser = {
    browserId: connectedAppsSessionId(secret, services.digests),
    sub: account.sub,
    expiresAt: Math.floor(services.now() / 1000) + knownBrowserSeconds,
  };
  const right = verification === undefined ? undefined : { verification, browser };
  const known =
    right === undefined ? [] : [secretCookie('browser', request.lob, secret, knownBrowserSeconds)];
  const proof = { right, known, provider: done.provider };
  if (found.interaction.request === undefined)
    return await openConnectedApps(services, request, found, actingFor(account, patient), proof);
  const member = soleMember(account);
  return member === undefined
    ? await continueToChoice(services, request, found, done, proof)
    : await continueToConsent(services, request, found, { member, keep: done.keep }, proof);
}

/** Refuses an account that may not share any patient's data in this LOB. */
async function refuseWithoutPatient(
  services: CompleteAuthenticationServices,
  request: BrowserRequest,
  found: FoundInteraction,
  account: AuthenticatedAccount,
): Promise<BrowserResponse> {
  const decision = { outcome: 'refused', reason: 'not_covered', account } as const;
  await services.audit.record(signInEvent(services, request, found, decision));
  return messagePage(403, 'nothing_to_share', request.language);
}

/**
 * Redirects to the choice of a patient, and ends this browser's previous SSO session. A new session, if requested, opens after the choice.
 */
async function continueToChoice(
  services: CompleteAuthenticationServices,
  request: BrowserRequest,
  found: FoundInteraction,
  { account, keep }: CompletedAuthentication,
  { right, known, provider }: SignInProof,
): Promise<BrowserResponse> {
  const { lob } = request;
  const { interactionId, request: asked } = found.interaction;
  const clientId = asked?.clientId ?? connectedAppsClientId;
  const cleared = await endSsoSession(services, request, 'signed_in_again', clientId);
  const now = Math.floor(services.now() / 1000);
  const audit = signInEvent(services, request, found, { outcome: 'succeeded', account, provider });
  const step = {
    lob,
    interactionId,
    now,
    audit,
    account: referenceTo(account),
    keep,
    ...provenBy(provider),
  };
  const waits = await services.signIns.askPatient({ ...step, ...(right !== undefined && { right }) });
  if (!waits) return await followOtherRequest(services, request, found);
  return redirectToPage(services, request, found, 'patient', [...known, ...cleared]);
}

/** Ends this browser's previous SSO session, and opens a new one only if the member requested it. */
async function continueToConsent(
  services: CompleteAuthenticationServices,
  request: BrowserRequest,
  found: FoundInteraction,
  { member, keep }: { readonly member: SignedInMember; readonly keep: boolean },
  { right, known, provider }: SignInProof,
): Promise<BrowserResponse> {
  const { lob } = request;
  const { interaction } = found;
  const clientId = interaction.request?.clientId ?? connectedAppsClientId;
  const cleared = await endSsoSession(services, request, 'signed_in_again', clientId);
  const now = Math.floor(services.now() / 1000);
  const opened = keep ? createSsoSession(services, request, { member, authTime: now }) : undefined;
  const reason = keep ? ({ reason: 'kept' } as const) : {};
  const audit = signInEvent(services, request, found, { outcome: 'succeeded', ...reason, member, provider });
  const step = { lob, interactionId: interaction.interactionId, now, audit, ...provenBy(provider) };
  const ssoSession = opened === undefined ? {} : { ssoSession: opened.session };
  const signedIn =
    right === undefined
      ? await services.store.signIn({ ...step, member, ...ssoSession })
      : await services.signIns.rightCode({ ...step, ...right, member, ...ssoSession });
  if (!signedIn) return await followOtherRequest(services, request, found);
  const setCookies = [...known, ...(opened === undefined ? cleared : [opened.cookie])];
  return redirectToPage(services, request, found, 'consent', setCookies);
}

/** Opens a session of the connected apps, and ends another member's SSO session in this browser. */
async function openConnectedApps(
  services: CompleteAuthenticationServices,
  request: BrowserRequest,
  found: FoundInteraction,
  member: SignedInMember,
  { right, known, provider }: SignInProof,
): Promise<BrowserResponse> {
  const { lob } = request;
  const cleared = await endSsoSession(services, request, 'signed_in_again', connectedAppsClientId, member);
  const now = Math.floor(services.now() / 1000);
  const secret = services.random.token();
  const session = {
    sessionId: connectedAppsSessionId(secret, services.digests),
    member,
    expiresAt: now + connectedAppsSessionSeconds,
  };
  const audit = signInEvent(services, request, found, { outcome: 'succeeded', member, provider });
  const step = { lob, interactionId: found.interaction.interactionId, now, audit, ...provenBy(provider) };
  const begun = await services.signIns.visit({ ...step, session, ...(right !== undefined && { right }) });
  if (!begun) return await followOtherRequest(services, request, found);
  // After the redirect from the provider, our page's request still counts as cross-site, so a `Strict` cookie would be missing.
  const sameSite = provider === undefined ? 'Strict' : 'Lax';
  const cookie = secretCookie('session', lob, secret, connectedAppsSessionSeconds, sameSite);
  const setCookies = [cookie, ...known, ...cleared, clearBindingCookie(found.binding)];
  const location = `${services.origins.auth}${pagePath(lob, 'connected-apps')}`;
  return { kind: 'redirect', location, setCookies };
}

/**
 * Redirects to where another request of this browser has brought the interaction meanwhile: the form was sent twice, and the browser shows
 * only the response to the last one. A sign-in to the connected apps leads there; without the cookie of the first response it begins again.
 */
async function followOtherRequest(
  services: CompleteAuthenticationServices,
  request: BrowserRequest,
  { binding, interaction: { interactionId, state } }: FoundInteraction,
): Promise<BrowserResponse> {
  const { lob, language } = request;
  const interaction = await services.store.interaction(lob, interactionId);
  if (interaction?.state === 'answered' && interaction.request === undefined)
    return { kind: 'redirect', location: `${services.origins.auth}${pagePath(lob, 'connected-apps')}` };
  const further =
    interaction === undefined || interaction.state === 'answered' || interaction.state === state
      ? undefined
      : redirectToOtherPage(services, { request, binding, interaction }, 'sign-in');
  return further ?? messagePage(400, 'interaction_expired', language);
}

/** Whether the application's `id_token_hint` names another member than the one who signed in. */
export function isOtherMember(
  { interaction }: FoundInteraction,
  { sub }: Pick<AuthenticatedAccount, 'sub'>,
): boolean {
  const expected = interaction.request?.expectedSub;
  return expected !== undefined && expected !== sub;
}

/**
 * Ends the interaction, and redirects to the application with `login_required` (OpenID Connect Core section 3.1.2.1, `id_token_hint`).
 * Otherwise the application would take one member's data for another's.
 */
export async function refuseOtherMember(
  services: CompleteAuthenticationServices,
  found: FoundInteraction,
  account: AuthenticatedAccount,
  provider?: CompletedAuthentication['provider'],
): Promise<BrowserResponse> {
  const { request, interaction, binding } = found;
  const { lob, language } = request;
  const decision = {
    outcome: 'refused',
    reason: 'member_not_hinted',
    account,
    member: soleMember(account),
    provider,
  } as const;
  const audit = signInEvent(services, request, found, decision);
  const now = Math.floor(services.now() / 1000);
  const { interactionId } = interaction;
  const refused = await services.signIns.otherMember({
    lob,
    interactionId,
    now,
    audit,
    ...provenBy(provider),
  });
  if (!refused || interaction.request === undefined) return messagePage(400, 'interaction_expired', language);
  const description = 'the member who signed in is not the member of id_token_hint';
  const error = { error: 'login_required', description } as const;
  const location = errorResponse(interaction.request, memberIssuer(services.origins, lob), error);
  return { kind: 'redirect', location, setCookies: [clearBindingCookie(binding)] };
}

/** The provider's answer as a condition of a step. */
function provenBy(provider: ProviderProof | undefined) {
  if (provider === undefined) return {};
  const { requestSha256, authTime } = provider;
  return { provider: { requestSha256, authTime } };
}

/** Makes the audit event of a sign-in. It names a patient only if the account has one alone, or has chosen one. */
export function signInEvent(
  { now, random }: Pick<CompleteAuthenticationServices, 'now' | 'random'>,
  { context }: BrowserRequest,
  { interaction }: Pick<FoundInteraction, 'interaction'>,
  {
    outcome,
    reason,
    account,
    member,
    provider,
  }: Pick<AuditDecision, 'outcome' | 'reason'> & {
    readonly account?: Pick<AuthenticatedAccount, 'sub'>;
    readonly member?: SignedInMember | undefined;
    readonly provider?: { readonly issuer: string } | undefined;
  },
) {
  const decision = {
    action: 'member.sign-in',
    outcome,
    actor: account?.sub ?? member?.sub ?? 'member',
    clientId: interaction.request?.clientId ?? connectedAppsClientId,
    ...(reason !== undefined && { reason }),
    ...(member !== undefined && aboutPatient(member)),
    ...(provider !== undefined && { identityProvider: provider.issuer }),
  } as const;
  return auditEvent(context, decision, now(), random.uuid());
}
