import { type EnvironmentOrigins, memberIssuer } from '../../catalog/addresses.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Random } from '../../kernel/random.ts';
import { type AuthorizationDecision, auditEvent } from '../audit-event.ts';
import {
  knownBrowserSeconds,
  memberSessionId,
  secretCookie,
  sessionSeconds,
} from '../connected-apps/member-session.ts';
import type { SignedInMember } from '../member-account.ts';
import { messagePage } from '../pages/message-page.ts';
import { pagePath } from '../pages/paths.ts';
import { errorResponse } from './authorization-response.ts';
import type { AuthorizationStore } from './authorization-store.ts';
import { clearBindingCookie } from './browser-binding.ts';
import type { BrowserRequest, BrowserResponse } from './browser-request.ts';
import { createSsoSession, type EndSsoSessionServices, endSsoSession } from './browser-sso-session.ts';
import type { FoundInteraction } from './find-interaction.ts';
import { redirectToPage } from './redirect-to-page.ts';
import type { KnownBrowser, SignInStore } from './sign-in-store.ts';
import type { SentVerificationCode } from './verification-code.ts';

/** Services that complete a sign-in. */
export interface CompleteSignInServices extends EndSsoSessionServices {
  readonly origins: EnvironmentOrigins;
  readonly store: Pick<AuthorizationStore, 'signIn'>;
  readonly signIns: Pick<SignInStore, 'rightCode' | 'visit' | 'otherMember'>;
  readonly random: Random;
  readonly now: Clock;
}

/** Client id in the audit of a sign-in to the connected apps, which no application requests. */
export const connectedAppsClientId = 'connected-apps';

/** A sign-in whose password is verified, and its verification code where one was required. */
export interface CompletedSignIn {
  readonly member: SignedInMember;
  /** Whether the member requested an SSO session. */
  readonly keep: boolean;
  /** The verification code that was entered. */
  readonly verification?: SentVerificationCode;
}

/** A verified code, and the browser that is known by it from now on. */
interface VerifiedCode {
  readonly verification: SentVerificationCode;
  readonly browser: KnownBrowser;
}

/**
 * Completes a sign-in: redirects to the consent page or to the connected apps. A redirect, so that a reload sends no secret
 * again.
 */
export async function completeSignIn(
  services: CompleteSignInServices,
  request: BrowserRequest,
  found: FoundInteraction,
  done: CompletedSignIn,
): Promise<BrowserResponse> {
  const { member, verification } = done;
  const secret = services.random.token();
  const browser = {
    browserId: memberSessionId(secret, services.digests),
    sub: member.sub,
    expiresAt: Math.floor(services.now() / 1000) + knownBrowserSeconds,
  };
  const right = verification === undefined ? undefined : { verification, browser };
  const known =
    right === undefined ? [] : [secretCookie('browser', request.lob, secret, knownBrowserSeconds)];
  return found.interaction.request === undefined
    ? await openConnectedApps(services, request, found, member, right, known)
    : await continueToConsent(services, request, found, done, right, known);
}

/** Ends the SSO session this browser had, and opens a new one only if the member requested it. */
async function continueToConsent(
  services: CompleteSignInServices,
  request: BrowserRequest,
  found: FoundInteraction,
  { member, keep }: CompletedSignIn,
  right: VerifiedCode | undefined,
  known: readonly string[],
): Promise<BrowserResponse> {
  const { lob, language } = request;
  const { interaction } = found;
  const clientId = interaction.request?.clientId ?? connectedAppsClientId;
  const cleared = await endSsoSession(services, request, 'signed_in_again', clientId);
  const now = Math.floor(services.now() / 1000);
  const opened = keep ? createSsoSession(services, request, member, now) : undefined;
  const reason = keep ? ({ reason: 'kept' } as const) : {};
  const audit = signInEvent(services, request, found, { outcome: 'succeeded', ...reason, member });
  const step = { lob, interactionId: interaction.interactionId, now, audit };
  const ssoSession = opened === undefined ? {} : { ssoSession: opened.session };
  const signedIn =
    right === undefined
      ? await services.store.signIn({ ...step, member, ...ssoSession })
      : await services.signIns.rightCode({ ...step, ...right, ...ssoSession });
  if (!signedIn) return messagePage(400, 'interaction_expired', language);
  const setCookies = [...known, ...(opened === undefined ? cleared : [opened.cookie])];
  return redirectToPage(services, request, found, 'consent', setCookies);
}

/** Opens a session of the connected apps, and ends the SSO session that another member had in this browser. */
async function openConnectedApps(
  services: CompleteSignInServices,
  request: BrowserRequest,
  found: FoundInteraction,
  member: SignedInMember,
  right: VerifiedCode | undefined,
  known: readonly string[],
): Promise<BrowserResponse> {
  const { lob, language } = request;
  const cleared = await endSsoSession(services, request, 'signed_in_again', connectedAppsClientId, member);
  const now = Math.floor(services.now() / 1000);
  const secret = services.random.token();
  const session = {
    sessionId: memberSessionId(secret, services.digests),
    member,
    expiresAt: now + sessionSeconds,
  };
  const audit = signInEvent(services, request, found, { outcome: 'succeeded', member });
  const step = { lob, interactionId: found.interaction.interactionId, now, audit };
  const begun = await services.signIns.visit({ ...step, session, ...(right !== undefined && { right }) });
  if (!begun) return messagePage(400, 'interaction_expired', language);
  const cookie = secretCookie('session', lob, secret, sessionSeconds);
  const setCookies = [cookie, ...known, ...cleared, clearBindingCookie(found.binding)];
  const location = `${services.origins.auth}${pagePath(lob, 'connected-apps')}`;
  return { kind: 'redirect', location, setCookies };
}

/** Whether the application's `id_token_hint` names another member than the one whose password was right. */
export function isOtherMember({ interaction }: FoundInteraction, { sub }: SignedInMember): boolean {
  const expected = interaction.request?.expectedSub;
  return expected !== undefined && expected !== sub;
}

/**
 * Redirects to the application with `login_required` (OpenID Connect Core section 3.1.2.1, `id_token_hint`), which would take
 * one member's data for another's. The interaction ends.
 */
export async function refuseOtherMember(
  services: CompleteSignInServices,
  found: FoundInteraction,
  member: SignedInMember,
): Promise<BrowserResponse> {
  const { request, interaction, binding } = found;
  const { lob, language } = request;
  const decision = { outcome: 'refused', reason: 'member_not_hinted', member } as const;
  const audit = signInEvent(services, request, found, decision);
  const now = Math.floor(services.now() / 1000);
  const { interactionId } = interaction;
  const refused = await services.signIns.otherMember({ lob, interactionId, now, audit });
  if (!refused || interaction.request === undefined) return messagePage(400, 'interaction_expired', language);
  const description = 'the member who signed in is not the member of id_token_hint';
  const error = { error: 'login_required', description } as const;
  const location = errorResponse(interaction.request, memberIssuer(services.origins, lob), error);
  return { kind: 'redirect', location, setCookies: [clearBindingCookie(binding)] };
}

/** Makes the audit event of a sign-in. */
export function signInEvent(
  { now, random }: Pick<CompleteSignInServices, 'now' | 'random'>,
  { context }: BrowserRequest,
  { interaction }: Pick<FoundInteraction, 'interaction'>,
  {
    outcome,
    reason,
    member,
  }: Pick<AuthorizationDecision, 'outcome' | 'reason'> & { readonly member?: SignedInMember },
) {
  const decision = {
    action: 'member.sign-in',
    outcome,
    actor: member?.sub ?? 'member',
    clientId: interaction.request?.clientId ?? connectedAppsClientId,
    ...(reason !== undefined && { reason }),
    ...(member !== undefined && { patientId: member.patientId }),
  } as const;
  return auditEvent(context, decision, now(), random.uuid());
}
