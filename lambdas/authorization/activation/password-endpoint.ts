/** Page of the activation that asks for the new password. */

import type { BrowserRequest, BrowserResponse, PageResponse } from '../authorize/browser-request.ts';
import { completeAuthentication } from '../authorize/complete-authentication.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { activationPasswordPage, type PasswordError } from '../pages/activation-pages.ts';
import { messagePage } from '../pages/message-page.ts';
import { memberIdSpellings } from './activation.ts';
import {
  type ActivationPageServices,
  aboutRequest,
  type FoundActivation,
  findActivationAt,
  pageFrame,
  pageResponse,
} from './activation-page.ts';

/** Shows the form for the new password. */
export async function showActivationPassword(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivationAt(services, request, 'query', 'proven');
  return result.kind === 'response' ? result.response : passwordPageOf(services, result, 200);
}

/** Sets the password, and continues the interaction as after a sign-in. */
export async function submitActivationPassword(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivationAt(services, request, 'form', 'proven');
  if (result.kind === 'response') return result.response;
  const { found, activation } = result;
  const password = parameterOf(request.form, 'password') ?? '';
  if (password === '') return passwordPageOf(services, result, 400, 'missing');
  if (password !== parameterOf(request.form, 'again'))
    return passwordPageOf(services, result, 400, 'different');
  const about = aboutRequest(found, activation);
  const answer = await services.activation.setPassword({ act: 'set-password', ...about, password });
  if (answer.kind === 'activated') {
    const { sub, sessionEpoch } = answer;
    const patients = await services.patientsOf(request.lob, { sub });
    await services.verification.forgetFailures(sub);
    return await completeAuthentication(services, found.request, found, {
      account: { sub, sessionEpoch, patients },
      keep: false,
    });
  }
  const { refusal } = answer;
  if (refusal === 'password_short' || refusal === 'password_known')
    return passwordPageOf(services, result, 400, refusal);
  const { language } = found.request;
  return refusal === 'expired'
    ? messagePage(400, 'interaction_expired', language)
    : messagePage(403, 'activation_not_possible', language);
}

function passwordPageOf(
  services: ActivationPageServices,
  { found, activation }: FoundActivation,
  status: number,
  error?: PasswordError,
): PageResponse {
  const memberId = memberIdSpellings(activation.proof?.memberId ?? '')[1];
  return pageResponse(
    found,
    status,
    activationPasswordPage({ ...pageFrame(services, found), memberId, error }),
  );
}
