/** Page of the activation where the member enters the code. */

import type { BrowserRequest, BrowserResponse, PageResponse } from '../authorize/browser-request.ts';
import type { FoundInteraction } from '../authorize/find-interaction.ts';
import { redirectToPage } from '../authorize/redirect-to-page.ts';
import {
  mostTries,
  parseVerificationCode,
  resendAfterSeconds,
  verificationCodeSeconds,
} from '../authorize/verification-code.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { activationCodePage } from '../pages/activation-pages.ts';
import type { CodeError } from '../pages/code-page.ts';
import { messagePage } from '../pages/message-page.ts';
import {
  type Activation,
  activationDigestInput,
  activationTryRate,
  memberIdSpellings,
  passwordSeconds,
} from './activation.ts';
import { activationEvent } from './activation-event.ts';
import {
  type ActivationPageServices,
  aboutRequest,
  countRequest,
  findActivationAt,
  pageFrame,
  pageResponse,
} from './activation-page.ts';

/** Shows the page where the member enters the code. */
export async function showActivationCode(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivationAt(services, request, 'query', 'asked');
  return result.kind === 'response' ? result.response : codePageOf(services, result.found, 200);
}

/** Handles the form of that page: a typed code, or a request for another code. */
export async function submitActivationCode(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivationAt(services, request, 'form', 'asked');
  if (result.kind === 'response') return result.response;
  const { found, activation } = result;
  const answer = parameterOf(request.form, 'answer');
  return answer === 'email' || answer === 'sms'
    ? await sendAgain(services, found, activation, answer)
    : await checkCode(services, found, activation);
}

async function sendAgain(
  services: ActivationPageServices,
  found: FoundInteraction,
  activation: Activation,
  channel: 'email' | 'sms',
): Promise<BrowserResponse> {
  const { lob } = found.request;
  const now = Math.floor(services.now() / 1000);
  const notBefore = now - resendAfterSeconds;
  if (activation.requestedAt > notBefore) return codePageOf(services, found, 400, 'tooSoon');
  const tooMany = await countRequest(services, found, activation.memberId);
  if (tooMany !== undefined) return tooMany;
  const next = {
    interactionId: activation.interactionId,
    requestId: services.random.uuid(),
    requestedAt: now,
    expiresAt: now + verificationCodeSeconds,
  };
  if (!(await services.activations.askAgain(lob, next, notBefore)))
    return codePageOf(services, found, 400, 'tooSoon');
  await services.activation.sendCode({ act: 'send-again', ...aboutRequest(found, next), channel });
  return redirectToPage(services, found.request, found, 'activation-code');
}

/** Compares a typed code. If the details matched no member, every code is wrong, and comparing takes the same work. */
async function checkCode(
  services: ActivationPageServices,
  found: FoundInteraction,
  activation: Activation,
): Promise<BrowserResponse> {
  const { request } = found;
  const { lob, language } = request;
  const now = Math.floor(services.now() / 1000);
  const code = parseVerificationCode(parameterOf(request.form, 'code'));
  if (code === undefined) return codePageOf(services, found, 400, 'none');
  const { tries, proof, memberId } = activation;
  if (tries >= mostTries || activation.expiresAt <= now) return codePageOf(services, found, 400, 'over');
  const verdict = await services.verification.rates.attempt(
    activationTryRate,
    memberIdSpellings(memberId)[1],
  );
  if (verdict.kind === 'limited') {
    const { retryAfterSeconds } = verdict;
    return { ...messagePage(429, 'too_many_code_tries', language), retryAfterSeconds };
  }
  const mac = await services.verification.mac(activationDigestInput(lob, activation, code));
  // Text of a digest's length that equals no digest.
  const expected = proof?.mac ?? '-'.repeat(mac.length);
  const about = aboutEvent(services, found);
  const who = proof === undefined ? {} : { patientId: proof.patientId };
  if (services.digests.equal(mac, expected)) {
    const audit = activationEvent(...about, 'succeeded', 'code_right', who);
    const step = { lob, activation, tries, mac, now, expiresAt: now + passwordSeconds, audit };
    return (await services.activations.rightCode(step))
      ? redirectToPage(services, request, found, 'activation-password')
      : codePageOf(services, found, 400, 'busy');
  }
  const audit = activationEvent(...about, 'refused', 'code_wrong', who);
  const counted = await services.activations.wrongCode({ lob, activation, tries, audit });
  return codePageOf(services, found, 400, counted ? 'wrong' : 'busy');
}

function aboutEvent({ now, random }: ActivationPageServices, found: FoundInteraction) {
  const { environment } = found.request.context;
  const { lob, clientId, request } = aboutRequest(found, { interactionId: '', requestId: '' });
  return [
    { environment, now, random },
    { lob, clientId, request },
  ] as const;
}

function codePageOf(
  services: ActivationPageServices,
  found: FoundInteraction,
  status: number,
  error?: CodeError,
): PageResponse {
  return pageResponse(found, status, activationCodePage({ ...pageFrame(services, found), error }));
}
