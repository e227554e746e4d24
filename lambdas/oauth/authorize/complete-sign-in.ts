import { memberIssuer } from '../../catalog/addresses.ts';
import { type AuthorizationDecision, auditEvent } from '../audit-event.ts';
import {
  knownBrowserSeconds,
  memberSessionId,
  secretCookie,
  sessionSeconds,
} from '../connected-apps/member-session.ts';
import { messagePage } from '../pages/message-page.ts';
import { pagePath } from '../pages/paths.ts';
import type { SignedInMember } from '../ports.ts';
import { errorResponse } from './authorization-response.ts';
import { clearBindingCookie } from './browser-binding.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import { createSsoSession, endSsoSession } from './browser-sso-session.ts';
import type { FoundInteraction } from './find-interaction.ts';
import { interactionPageUrl } from './next-page.ts';
import type { KnownBrowser } from './sign-in-store.ts';
import type { SentVerificationCode } from './verification-code.ts';

/** Stands in the audit for the member's own visit, where an application's id would. */
export const connectedAppsClientId = 'connected-apps';

/** A sign-in whose password was right, and the code where one was asked for. */
export interface CompletedSignIn {
  readonly member: SignedInMember;
  /** Whether the member wishes to keep it. */
  readonly keep: boolean;
  /** The code that was right. */
  readonly verification?: SentVerificationCode;
}

/** A code that was right makes the browser known. */
interface VerifiedCode {
  readonly verification: SentVerificationCode;
  readonly browser: KnownBrowser;
}

/**
 * The member is who they say: on to the consent page, or to their connected apps. By a redirect, so that a reload sends
 * nothing secret again.
 */
export async function completeSignIn(
  server: AuthorizationServer,
  request: BrowserRequest,
  found: FoundInteraction,
  done: CompletedSignIn,
): Promise<BrowserResponse> {
  const { member, verification } = done;
  const secret = server.random.token();
  const browser = {
    browserId: memberSessionId(secret, server.digests),
    sub: member.sub,
    expiresAt: Math.floor(server.now() / 1000) + knownBrowserSeconds,
  };
  const right = verification === undefined ? undefined : { verification, browser };
  const known =
    right === undefined ? [] : [secretCookie('browser', request.lob, secret, knownBrowserSeconds)];
  return found.interaction.request === undefined
    ? await toConnectedApps(server, request, found, member, right, known)
    : await toConsent(server, request, found, done, right, known);
}

/** A browser keeps one sign-in, the last: whoever signs in, the one before ends, and a new one begins only if it is wished. */
async function toConsent(
  server: AuthorizationServer,
  request: BrowserRequest,
  found: FoundInteraction,
  { member, keep }: CompletedSignIn,
  right: VerifiedCode | undefined,
  known: readonly string[],
): Promise<BrowserResponse> {
  const { lob, language } = request;
  const { interaction } = found;
  const clientId = interaction.request?.clientId ?? connectedAppsClientId;
  const cleared = await endSsoSession(server, request, 'signed_in_again', clientId);
  const now = Math.floor(server.now() / 1000);
  const opened = keep ? createSsoSession(server, request, member, now) : undefined;
  const reason = keep ? ({ reason: 'kept' } as const) : {};
  const audit = signInEvent(server, request, found, { outcome: 'succeeded', ...reason, member });
  const step = { lob, interactionId: interaction.interactionId, now, audit };
  const ssoSession = opened === undefined ? {} : { ssoSession: opened.session };
  const signedIn =
    right === undefined
      ? await server.store.signIn({ ...step, member, ...ssoSession })
      : await server.signIns.rightCode({ ...step, ...right, ...ssoSession });
  if (!signedIn) return messagePage(400, 'interaction_expired', language);
  const setCookies = [...known, ...(opened === undefined ? cleared : [opened.cookie])];
  return { location: interactionPageUrl(server, request, found, 'consent'), setCookies };
}

/** The session of the connected apps. A sign-in that another member kept in this browser ends. */
async function toConnectedApps(
  server: AuthorizationServer,
  request: BrowserRequest,
  found: FoundInteraction,
  member: SignedInMember,
  right: VerifiedCode | undefined,
  known: readonly string[],
): Promise<BrowserResponse> {
  const { lob, language } = request;
  const cleared = await endSsoSession(server, request, 'signed_in_again', connectedAppsClientId, member);
  const now = Math.floor(server.now() / 1000);
  const secret = server.random.token();
  const session = {
    sessionId: memberSessionId(secret, server.digests),
    member,
    expiresAt: now + sessionSeconds,
  };
  const audit = signInEvent(server, request, found, { outcome: 'succeeded', member });
  const step = { lob, interactionId: found.interaction.interactionId, now, audit };
  const begun = await server.signIns.visit({ ...step, session, ...(right !== undefined && { right }) });
  if (!begun) return messagePage(400, 'interaction_expired', language);
  const cookie = secretCookie('session', lob, secret, sessionSeconds);
  const setCookies = [cookie, ...known, ...cleared, clearBindingCookie(found.binding)];
  return { location: `${server.origins.auth}${pagePath(lob, 'connected-apps')}`, setCookies };
}

/** Whether the application's `id_token_hint` names another member than the one whose password was right. */
export function isOtherMember({ interaction }: FoundInteraction, { sub }: SignedInMember): boolean {
  const expected = interaction.request?.expectedSub;
  return expected !== undefined && expected !== sub;
}

/**
 * Back to the application with `login_required` (OpenID Connect Core section 3.1.2.1, `id_token_hint`): it would take one
 * member's data for another's. The interaction ends.
 */
export async function refuseOtherMember(
  server: AuthorizationServer,
  found: FoundInteraction,
  member: SignedInMember,
): Promise<BrowserResponse> {
  const { request, interaction, binding } = found;
  const { lob, language } = request;
  const decision = { outcome: 'refused', reason: 'member_not_hinted', member } as const;
  const audit = signInEvent(server, request, found, decision);
  const now = Math.floor(server.now() / 1000);
  const { interactionId } = interaction;
  const refused = await server.signIns.otherMember({ lob, interactionId, now, audit });
  if (!refused || interaction.request === undefined) return messagePage(400, 'interaction_expired', language);
  const description = 'the member who signed in is not the member of id_token_hint';
  const error = { error: 'login_required', description } as const;
  const location = errorResponse(interaction.request, memberIssuer(server.origins, lob), error);
  return { location, setCookies: [clearBindingCookie(binding)] };
}

export function signInEvent(
  { now, random }: AuthorizationServer,
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
