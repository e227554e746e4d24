import { memberSessionId, secretOf } from '../connected-apps/member-session.ts';
import { applicationOf } from '../pages/application.ts';
import { formActionOf, type SignInError, signInPage } from '../pages/sign-in-page.ts';
import { parameterOf } from '../parameters.ts';
import { formTokenOf } from './browser-binding.ts';
import type { AuthorizationServer, BrowserAnswer, BrowserRequest } from './browser-step.ts';
import { completeSignIn, isOtherMember, refuseOtherMember, signInEvent } from './complete-sign-in.ts';
import { nextPage } from './next-page.ts';
import { type FoundInteraction, interactionOfForm, interactionOfQuery } from './open-interaction.ts';
import { needsCode } from './verification-code.ts';
import { askForCode } from './verification-code-step.ts';

type RightPassword = Extract<
  Awaited<ReturnType<AuthorizationServer['signIn']>>,
  { readonly member: unknown }
>;

/** The sign-in page again: after a reload, the way back, or in another language. */
export async function showSignIn(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserAnswer> {
  const found = await interactionOfQuery(server, request);
  if ('refused' in found) return found.refused;
  return furtherOn(server, found) ?? signInAnswer(server, found);
}

/** The sign-in form, sent. */
export async function signInStep(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserAnswer> {
  const found = await interactionOfForm(server, request);
  if ('refused' in found) return found.refused;
  const further = furtherOn(server, found);
  if (further !== undefined) return further;
  const username = parameterOf(request.form, 'username') ?? '';
  const password = parameterOf(request.form, 'password') ?? '';
  if (username.trim() === '' || password === '') return again(server, found, 'incomplete');
  const answer = await server.signIn(request.lob, username, password, request.address);
  if ('refusal' in answer) {
    const refusal = { outcome: 'refused', reason: answer.refusal } as const;
    await server.audit.record(signInEvent(server, request, found, refusal));
    return again(
      server,
      found,
      answer.refusal === 'locked' ? { lockedSeconds: answer.retryAfterSeconds } : pageErrors[answer.refusal],
    );
  }
  return await passwordRight(server, found, answer);
}

/** What the page says. That a password is right is said by no page that doesn't let its owner in. */
const pageErrors = {
  refused: 'refused',
  not_covered: 'refused',
  unavailable: 'unavailable',
} as const satisfies Readonly<Record<string, SignInError>>;

/** On to the code where one is needed, and else the member is signed in. */
async function passwordRight(
  server: AuthorizationServer,
  found: FoundInteraction,
  { member, name, failures }: RightPassword,
): Promise<BrowserAnswer> {
  if (isOtherMember(found, member)) return await refuseOtherMember(server, found, member);
  const { request } = found;
  const keep = wishesToKeep(request);
  const { setting, succeeded } = server.verification;
  const known = setting === 'risk' && failures > 0 && (await isKnownBrowser(server, request, member.sub));
  if (needsCode(setting, failures, known)) return await askForCode(server, found, member, name, keep);
  // A failure to forget costs the member some patience the next time, not this sign-in.
  await succeeded(name);
  return await completeSignIn(server, request, found, { member, keep });
}

/** The form sent twice, or the page gone back to: the member is past it. */
function furtherOn(server: AuthorizationServer, found: FoundInteraction): BrowserAnswer | undefined {
  const { state } = found.interaction;
  if (state === 'consenting') return { location: nextPage(server, found.request, found, 'consent') };
  if (state === 'verifying') return { location: nextPage(server, found.request, found, 'code') };
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
function again(server: AuthorizationServer, found: FoundInteraction, error: SignInError): BrowserAnswer {
  const username = parameterOf(found.request.form, 'username')?.slice(0, 254);
  const keep = wishesToKeep(found.request);
  const answer = signInAnswer(server, found, { error, username, keep });
  if (typeof error === 'object') return { ...answer, status: 429, retryAfterSeconds: error.lockedSeconds };
  return { ...answer, status: error === 'unavailable' ? 503 : 400 };
}

/** The box on the page; a member on their own visit has none. */
function wishesToKeep({ form }: BrowserRequest): boolean {
  return parameterOf(form, 'keep') === 'yes';
}

export function signInAnswer(
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
