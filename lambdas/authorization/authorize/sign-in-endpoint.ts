/** Sign-in page of the authorization endpoint: user name and password. */

import type { MemberSignIn, VerifiedPassword } from '../oauth/member-account.ts';
import { parameterOf } from '../oauth/parameters.ts';
import type { SignInError } from '../pages/sign-in-page.ts';
import type { BrowserRequest, BrowserResponse, PageResponse } from './browser-request.ts';
import {
  completeAuthentication,
  isOtherMember,
  refuseOtherMember,
  signInEvent,
} from './complete-authentication.ts';
import { connectedAppsSessionId, secretOf } from './connected-apps-session.ts';
import { type FoundInteraction, findInteractionOfForm, findInteractionOfQuery } from './find-interaction.ts';
import { redirectToOtherPage } from './redirect-to-page.ts';
import { type FirstPageServices, firstPageResponse, signInPageResponse } from './sign-in-response.ts';
import type { SignInStore } from './sign-in-store-port.ts';
import { needsVerificationCode } from './verification-code.ts';
import { requireVerificationCode, type VerificationCodeServices } from './verification-code-endpoint.ts';

export type SignInServices = VerificationCodeServices &
  FirstPageServices & {
    readonly signIns: Pick<SignInStore, 'knownBrowser'>;
    readonly signIn: MemberSignIn;
  };

/** Shows the sign-in page again: after a reload, the back button, or in another language. */
export async function showSignIn(
  services: SignInServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findInteractionOfQuery(services, request);
  if (result.kind === 'refusal') return result.response;
  const { found } = result;
  return redirectToOtherPage(services, found, 'sign-in') ?? firstPageResponse(services, found);
}

/** Handles the sign-in form. */
export async function submitSignIn(
  services: SignInServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findInteractionOfForm(services, request);
  if (result.kind === 'refusal') return result.response;
  const { found } = result;
  const further = redirectToOtherPage(services, found, 'sign-in');
  if (further !== undefined) return further;
  if (services.providerOf(request.lob)?.localAccounts === false) return firstPageResponse(services, found);
  const username = parameterOf(request.form, 'username') ?? '';
  const password = parameterOf(request.form, 'password') ?? '';
  if (username.trim() === '' || password === '') return retrySignIn(services, found, 'incomplete');
  const signedIn = await services.signIn(request.lob, username, password, request.address);
  if (signedIn.kind === 'refusal') {
    const { refusal: reason } = signedIn;
    await services.audit.record(signInEvent(services, request, found, { outcome: 'refused', reason }));
    const error = reason === 'locked' ? { lockedSeconds: signedIn.retryAfterSeconds } : pageErrors[reason];
    return retrySignIn(services, found, error);
  }
  return await acceptPassword(services, found, signedIn);
}

/**
 * Error shown for each refusal. A member who may not sign in to this LOB gets the error of a wrong password, so that no error confirms a
 * password.
 */
const pageErrors = {
  refused: 'refused',
  not_covered: 'refused',
  unavailable: 'unavailable',
} as const satisfies Readonly<Record<string, SignInError>>;

/** Sends a verification code if one is needed; otherwise completes the sign-in. */
async function acceptPassword(
  services: SignInServices,
  found: FoundInteraction,
  { account, name, failures }: VerifiedPassword,
): Promise<BrowserResponse> {
  if (isOtherMember(found, account)) return await refuseOtherMember(services, found, account);
  const { request } = found;
  const keep = requestsSsoSession(request);
  const { setting, forgetFailures } = services.verification;
  const known = setting === 'risk' && failures > 0 && (await isKnownBrowser(services, request, account.sub));
  if (needsVerificationCode(setting, failures, known))
    return await requireVerificationCode(services, found, account, name, keep);
  // If clearing the failures fails, this sign-in continues, and the member may have to wait at the next one.
  await forgetFailures(name);
  return await completeAuthentication(services, request, found, { account, keep });
}

async function isKnownBrowser(
  { signIns, digests, now }: Pick<SignInServices, 'signIns' | 'digests' | 'now'>,
  { cookies, lob }: BrowserRequest,
  sub: string,
): Promise<boolean> {
  const secret = secretOf(cookies, 'browser', lob);
  if (secret === undefined) return false;
  const browser = await signIns.knownBrowser(lob, connectedAppsSessionId(secret, digests));
  return browser?.sub === sub && browser.expiresAt > now() / 1000;
}

/** Shows the form again with its error, the name as typed and the password empty. */
function retrySignIn(services: SignInServices, found: FoundInteraction, error: SignInError): PageResponse {
  const username = parameterOf(found.request.form, 'username')?.slice(0, 254);
  const keep = requestsSsoSession(found.request);
  const answer = signInPageResponse(services, found, { error, username, keep });
  if (typeof error === 'object') return { ...answer, status: 429, retryAfterSeconds: error.lockedSeconds };
  return { ...answer, status: error === 'unavailable' ? 503 : 400 };
}

/** Whether the member ticked the box for an SSO session. The sign-in to the connected apps has no such box. */
function requestsSsoSession({ form }: BrowserRequest): boolean {
  return parameterOf(form, 'keep') === 'yes';
}
