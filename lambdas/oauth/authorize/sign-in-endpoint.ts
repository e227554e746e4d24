import { memberSessionId, secretOf } from '../connected-apps/member-session.ts';
import { applicationOf } from '../pages/application.ts';
import { formActionOf, type SignInError, signInPage } from '../pages/sign-in-page.ts';
import { parameterOf } from '../parameters.ts';
import { formTokenOf } from './browser-binding.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import { completeSignIn, isOtherMember, refuseOtherMember, signInEvent } from './complete-sign-in.ts';
import { type FoundInteraction, findInteractionOfForm, findInteractionOfQuery } from './find-interaction.ts';
import { interactionPageUrl } from './next-page.ts';
import { needsVerificationCode } from './verification-code.ts';
import { requireVerificationCode } from './verification-code-endpoint.ts';

type VerifiedPassword = Extract<
  Awaited<ReturnType<AuthorizationServer['signIn']>>,
  { readonly member: unknown }
>;

/** The sign-in page again: after a reload, the way back, or in another language. */
export async function showSignIn(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const found = await findInteractionOfQuery(server, request);
  if ('refused' in found) return found.refused;
  return redirectPastSignIn(server, found) ?? signInResponse(server, found);
}

/** The sign-in form, sent. */
export async function submitSignIn(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const found = await findInteractionOfForm(server, request);
  if ('refused' in found) return found.refused;
  const further = redirectPastSignIn(server, found);
  if (further !== undefined) return further;
  const username = parameterOf(request.form, 'username') ?? '';
  const password = parameterOf(request.form, 'password') ?? '';
  if (username.trim() === '' || password === '') return retrySignIn(server, found, 'incomplete');
  const answer = await server.signIn(request.lob, username, password, request.address);
  if ('refusal' in answer) {
    const refusal = { outcome: 'refused', reason: answer.refusal } as const;
    await server.audit.record(signInEvent(server, request, found, refusal));
    return retrySignIn(
      server,
      found,
      answer.refusal === 'locked' ? { lockedSeconds: answer.retryAfterSeconds } : pageErrors[answer.refusal],
    );
  }
  return await acceptPassword(server, found, answer);
}

/** What the page says. That a password is right is said by no page that doesn't let its owner in. */
const pageErrors = {
  refused: 'refused',
  not_covered: 'refused',
  unavailable: 'unavailable',
} as const satisfies Readonly<Record<string, SignInError>>;

/** On to the code where one is needed, and else the member is signed in. */
async function acceptPassword(
  server: AuthorizationServer,
  found: FoundInteraction,
  { member, name, failures }: VerifiedPassword,
): Promise<BrowserResponse> {
  if (isOtherMember(found, member)) return await refuseOtherMember(server, found, member);
  const { request } = found;
  const keep = requestsSsoSession(request);
  const { setting, forgetFailures } = server.verification;
  const known = setting === 'risk' && failures > 0 && (await isKnownBrowser(server, request, member.sub));
  if (needsVerificationCode(setting, failures, known))
    return await requireVerificationCode(server, found, member, name, keep);
  // A failure to forget costs the member some patience the next time, not this sign-in.
  await forgetFailures(name);
  return await completeSignIn(server, request, found, { member, keep });
}

/** The form sent twice, or the page gone back to: the member is past it. */
function redirectPastSignIn(
  server: AuthorizationServer,
  found: FoundInteraction,
): BrowserResponse | undefined {
  const { state } = found.interaction;
  if (state === 'consenting')
    return { location: interactionPageUrl(server, found.request, found, 'consent') };
  if (state === 'verifying') return { location: interactionPageUrl(server, found.request, found, 'code') };
  return undefined;
}

async function isKnownBrowser(
  { signIns, digests, now }: AuthorizationServer,
  { cookies, lob }: BrowserRequest,
  sub: string,
): Promise<boolean> {
  const secret = secretOf(cookies, 'browser', lob);
  if (secret === undefined) return false;
  const browser = await signIns.knownBrowser(lob, memberSessionId(secret, digests));
  return browser?.sub === sub && browser.expiresAt > now() / 1000;
}

/** The form again with what is wrong, the name as typed and the password empty. */
function retrySignIn(
  server: AuthorizationServer,
  found: FoundInteraction,
  error: SignInError,
): BrowserResponse {
  const username = parameterOf(found.request.form, 'username')?.slice(0, 254);
  const keep = requestsSsoSession(found.request);
  const answer = signInResponse(server, found, { error, username, keep });
  if (typeof error === 'object') return { ...answer, status: 429, retryAfterSeconds: error.lockedSeconds };
  return { ...answer, status: error === 'unavailable' ? 503 : 400 };
}

/** The box on the page; a member on their own visit has none. */
function requestsSsoSession({ form }: BrowserRequest): boolean {
  return parameterOf(form, 'keep') === 'yes';
}

export function signInResponse(
  server: AuthorizationServer,
  { binding, client, interaction, request }: FoundInteraction,
  also: {
    readonly error?: SignInError;
    readonly username?: string | undefined;
    readonly keep?: boolean;
  } = {},
) {
  const html = signInPage({
    language: request.language,
    lob: request.lob,
    application: client === undefined ? undefined : applicationOf(client),
    handle: binding.handle,
    formToken: formTokenOf(binding, server.digests),
    ...also,
  });
  const target = interaction.request?.redirectUri;
  return { status: 200, html, ...(target !== undefined && { formAction: formActionOf(target) }) };
}
