/** Repeats the response to a member's answer: a button was pressed twice before the browser left the consent page. */

import { memberIssuer } from '../../catalog/addresses.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { matchesRegistered } from '../oauth/redirect-uri.ts';
import { messagePage } from '../pages/message-page.ts';
import { codeResponse, errorResponse } from './authorization-response.ts';
import type { AuthorizationStore } from './authorization-store-port.ts';
import { authorizationCodeOf, clearBindingCookie } from './browser-binding.ts';
import type { BrowserRequest, BrowserResponse, RedirectResponse } from './browser-request.ts';
import {
  type AnsweredInteraction,
  findInteractionOfForm,
  type InteractionRefusal,
  type InteractionServices,
} from './find-interaction.ts';

type RepeatedAnswerServices = InteractionServices & { readonly store: Pick<AuthorizationStore, 'code'> };

/** `error_description` for the application of a member who declined. */
export const declinedDescription = 'the member declined to share data';

/** The response to an answer whose interaction is refused: the first response again, or the error page. */
export async function refusedAnswer(
  services: RepeatedAnswerServices,
  { response, answered }: InteractionRefusal,
): Promise<BrowserResponse> {
  return (answered && (await repeatAnswer(services, answered))) ?? response;
}

/** The response to an answer that another one of this browser came before, while this one was judged. */
export async function lateAnswer(
  services: RepeatedAnswerServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const again = await findInteractionOfForm(services, request);
  return again.kind === 'refusal'
    ? await refusedAnswer(services, again)
    : messagePage(400, 'interaction_answered', request.language);
}

/**
 * Redirects to the application as the first response did: the browser shows only the response to the last of two requests. The code is the
 * same, and is sent while nobody has presented it; a member who shared is not told that they declined.
 *
 * @returns undefined if there is nothing to repeat.
 */
async function repeatAnswer(
  { origins, clients, digests, now, store }: RepeatedAnswerServices,
  { binding, interaction, request: { lob, form } }: AnsweredInteraction,
): Promise<RedirectResponse | undefined> {
  const { request, member, expiresAt } = interaction;
  if (request === undefined || member === undefined) return undefined;
  const client = await clients.find(request.clientId);
  if (client?.state !== 'active' || !matchesRegistered(client, request.redirectUri)) return undefined;
  const text = authorizationCodeOf(binding, digests);
  const code = await store.code(lob, digests.sha256Hex(text));
  const issuer = memberIssuer(origins, lob);
  const nowSeconds = now() / 1000;
  const answer = parameterOf(form, 'answer');
  const setCookies = [clearBindingCookie(binding)];
  if (answer === 'share' && code?.state === 'issued' && code.expiresAt > nowSeconds)
    return { kind: 'redirect', location: codeResponse(request, issuer, text), setCookies };
  if (answer !== 'decline' || code !== undefined || expiresAt <= nowSeconds) return undefined;
  const error = { error: 'access_denied', description: declinedDescription } as const;
  return { kind: 'redirect', location: errorResponse(request, issuer, error), setCookies };
}
