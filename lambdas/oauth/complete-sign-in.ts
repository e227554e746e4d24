import { auditEvent, type Decision } from './audit-event.ts';
import { clearCookie } from './browser-binding.ts';
import type { AuthorizationServer, BrowserAnswer, BrowserRequest } from './browser-step.ts';
import { knownBrowserSeconds, secretCookie, secretId, sessionSeconds } from './member-session.ts';
import type { FoundInteraction } from './open-interaction.ts';
import { messagePage } from './pages/message-page.ts';
import { pageAddress, pagePath } from './pages/paths.ts';
import type { SignedInMember } from './ports.ts';
import type { Verification } from './verification.ts';

/** Stands in the audit for the member's own visit, where an application's id would. */
export const ownVisit = 'connected-apps';

/**
 * The member is who they say: on to the consent page, or to their connected apps. By a redirect, so that a reload sends
 * nothing secret again.
 *
 * @param verification the code that was right, where one was asked for.
 */
export async function completeSignIn(
  server: AuthorizationServer,
  request: BrowserRequest,
  found: FoundInteraction,
  member: SignedInMember,
  verification?: Verification,
): Promise<BrowserAnswer> {
  const { lob, language } = request;
  const { interaction, binding } = found;
  const { signIns, random, digests } = server;
  const now = Math.floor(server.now() / 1000);
  const audit = signInEvent(server, request, found, { outcome: 'succeeded', member });
  const step = { lob, interactionId: interaction.interactionId, now, audit };
  const browserSecret = random.token();
  const browser = {
    browserId: secretId(browserSecret, digests),
    sub: member.sub,
    expiresAt: now + knownBrowserSeconds,
  };
  const right = verification === undefined ? undefined : { verification, browser };
  const known = right === undefined ? [] : [secretCookie('browser', lob, browserSecret, knownBrowserSeconds)];
  if (interaction.request === undefined) {
    const secret = random.token();
    const session = { sessionId: secretId(secret, digests), member, expiresAt: now + sessionSeconds };
    const begun = await signIns.visit({ ...step, session, ...(right !== undefined && { right }) });
    if (!begun) return messagePage(400, 'interaction_expired', language);
    const cookie = secretCookie('session', lob, secret, sessionSeconds);
    const setCookies = [cookie, ...known, clearCookie(binding)];
    return { location: `${server.origins.auth}${pagePath(lob, 'connected-apps')}`, setCookies };
  }
  const signedIn =
    right === undefined
      ? await server.store.signIn({ ...step, member })
      : await signIns.rightCode({ ...step, ...right });
  if (!signedIn) return messagePage(400, 'interaction_expired', language);
  return { location: nextPage(server, request, found, 'consent'), setCookies: known };
}

/** Absolute address of a page of this interaction. */
export function nextPage(
  { origins }: AuthorizationServer,
  { lob }: BrowserRequest,
  { binding }: Pick<FoundInteraction, 'binding'>,
  page: 'sign-in' | 'code' | 'consent',
): string {
  return `${origins.auth}${pageAddress(lob, page, { interaction: binding.handle })}`;
}

export function signInEvent(
  { now, random }: AuthorizationServer,
  { context }: BrowserRequest,
  { interaction }: Pick<FoundInteraction, 'interaction'>,
  { outcome, reason, member }: Pick<Decision, 'outcome' | 'reason'> & { readonly member?: SignedInMember },
) {
  const decision = {
    action: 'member.sign-in',
    outcome,
    actor: member?.sub ?? 'member',
    clientId: interaction.request?.clientId ?? ownVisit,
    ...(reason !== undefined && { reason }),
    ...(member !== undefined && { patientId: member.patientId }),
  } as const;
  return auditEvent(context, decision, now(), random.uuid());
}
