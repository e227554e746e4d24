/** Page of the activation that asks for the details: member ID, date of birth, ZIP code. */

import type { BrowserRequest, BrowserResponse, PageResponse } from '../authorize/browser-request.ts';
import type { FoundInteraction } from '../authorize/find-interaction.ts';
import { redirectToPage } from '../authorize/redirect-to-page.ts';
import { verificationCodeSeconds } from '../authorize/verification-code.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { detailsPage, type TypedDetails } from '../pages/activation-pages.ts';
import type { Activation } from './activation.ts';
import {
  type ActivationPageServices,
  aboutRequest,
  countRequest,
  findActivation,
  pageFrame,
  pageResponse,
} from './activation-page.ts';

/** Shows the form for the member's details. */
export async function showActivation(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivation(services, request, 'query');
  return result.kind === 'response' ? result.response : details(services, result.found, 200, []);
}

/**
 * Handles the details: counts the request, stores the activation and invokes the function `activation` asynchronously, so that the response
 * is the same whether the details match a member or not.
 */
export async function submitActivation(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivation(services, request, 'form');
  if (result.kind === 'response') return result.response;
  const { found } = result;
  const typed = typedDetails(request);
  const birthDate = birthDateOf(typed);
  const missing = (
    [
      ['memberId', typed.memberId.trim() !== ''],
      ['birthDate', birthDate !== undefined],
      ['postalCode', typed.postalCode.trim() !== ''],
    ] as const
  ).flatMap(([name, isThere]) => (isThere ? [] : [name]));
  if (birthDate === undefined || missing.length > 0) return details(services, found, 400, missing, typed);
  const tooMany = await countRequest(services, found, typed.memberId);
  if (tooMany !== undefined) return tooMany;
  const now = Math.floor(services.now() / 1000);
  const activation: Activation = {
    interactionId: found.interaction.interactionId,
    state: 'asked',
    requestId: services.random.uuid(),
    memberId: typed.memberId.trim(),
    requestedAt: now,
    expiresAt: now + verificationCodeSeconds,
    tries: 0,
  };
  await services.activations.begin(request.lob, activation);
  const { postalCode, channel } = typed;
  const about = aboutRequest(found, activation);
  await services.activation.sendCode({ act: 'send-code', ...about, birthDate, postalCode, channel });
  return redirectToPage(services, found.request, found, 'activation-code');
}

function typedDetails({ form }: BrowserRequest): TypedDetails {
  const text = (name: string) => (parameterOf(form, name) ?? '').slice(0, 256);
  return {
    memberId: text('member_id'),
    month: text('month'),
    day: text('day'),
    year: text('year'),
    postalCode: text('postal_code'),
    channel: parameterOf(form, 'channel') === 'sms' ? 'sms' : 'email',
  };
}

/**
 * The typed birth date.
 *
 * @returns `YYYY-MM-DD`; undefined if it is no calendar day.
 */
function birthDateOf({ year, month, day }: TypedDetails): string | undefined {
  const parts = [year.trim(), month.trim().padStart(2, '0'), day.trim().padStart(2, '0')];
  const text = parts.join('-');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

function details(
  services: ActivationPageServices,
  found: FoundInteraction,
  status: number,
  missing: readonly ('memberId' | 'birthDate' | 'postalCode')[],
  typed?: TypedDetails,
): PageResponse {
  return pageResponse(
    found,
    status,
    detailsPage({ ...pageFrame(services, found), missing, ...(typed && { typed }) }),
  );
}
