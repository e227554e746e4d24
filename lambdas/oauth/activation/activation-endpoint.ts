/** Endpoint of the activation pages: the member's details, the code, the password. */

import type { Random } from '../../kernel/random.ts';
import type { Rates } from '../../kernel/rates.ts';
import { formTokenOf } from '../authorize/browser-binding.ts';
import type { BrowserRequest, BrowserResponse, PageResponse } from '../authorize/browser-request.ts';
import { callerBlock } from '../authorize/caller-block.ts';
import {
  type CompleteAuthenticationServices,
  completeAuthentication,
  connectedAppsClientId,
} from '../authorize/complete-authentication.ts';
import {
  type FoundInteraction,
  findInteractionOfForm,
  findInteractionOfQuery,
  type InteractionServices,
} from '../authorize/find-interaction.ts';
import { redirectToPage } from '../authorize/redirect-to-page.ts';
import {
  mostTries,
  parseVerificationCode,
  resendAfterSeconds,
  type VerificationServices,
  verificationCodeSeconds,
} from '../authorize/verification-code.ts';
import type { FindPatientsOfAccount } from '../member-account.ts';
import {
  activationCodePage,
  activationPasswordPage,
  detailsPage,
  type PasswordError,
  type TypedDetails,
} from '../pages/activation-pages.ts';
import type { CodeError } from '../pages/code-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import { parameterOf } from '../parameters.ts';
import {
  type Activation,
  type ActivationStore,
  activationAddressRate,
  activationDigestInput,
  activationMemberRates,
  activationTryRate,
  memberIdSpellings,
  passwordSeconds,
} from './activation.ts';
import type { ActivationAnswer, CodeRequest, PasswordRequest } from './activation-contract.ts';
import { activationEvent } from './activation-event.ts';

/** The function that knows who is a member: codes are requested from it without waiting for it. */
export interface ActivationFunction {
  sendCode(request: CodeRequest): Promise<void>;
  setPassword(request: PasswordRequest): Promise<ActivationAnswer>;
}

/** Services of the activation's pages. */
export type ActivationPageServices = InteractionServices &
  CompleteAuthenticationServices & {
    readonly activations: ActivationStore;
    readonly activation: ActivationFunction;
    readonly patientsOf: FindPatientsOfAccount;
    readonly verification: Pick<VerificationServices, 'mac' | 'forgetFailures'> & { readonly rates: Rates };
    readonly random: Random & { digits(count: number): string };
  };

type Found =
  | { readonly kind: 'found'; readonly found: FoundInteraction; readonly activation: Activation | undefined }
  | { readonly kind: 'response'; readonly response: BrowserResponse };

/** Shows the form for the member's details. */
export async function showActivation(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivation(services, request, 'query');
  return result.kind === 'response' ? result.response : details(services, result.found, 200, []);
}

/**
 * Takes the details. They are counted, stored and handed on, and compared elsewhere: the answer is the same for a member and for nobody.
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

/** Shows the page of the code. */
export async function showActivationCode(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivation(services, request, 'query');
  if (result.kind === 'response') return result.response;
  return elsewhere(services, result, 'asked') ?? codePageOf(services, result.found, 200);
}

/** Handles the form of the code: a code that was typed, or a request for another one. */
export async function submitActivationCode(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivation(services, request, 'form');
  if (result.kind === 'response') return result.response;
  const { found, activation } = result;
  const other = elsewhere(services, result, 'asked');
  if (other !== undefined || activation === undefined)
    return other ?? redirectToPage(services, request, found, 'activation');
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

/** Compares a code. Where there is no member, no code is right, and the work is the same. */
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
  if (!verdict.allowed) {
    const { retryAfterSeconds } = verdict;
    return { ...messagePage(429, 'too_many_code_tries', language), retryAfterSeconds };
  }
  const mac = await services.verification.mac(activationDigestInput(lob, activation, code));
  // As long as a digest, and none.
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

/** Shows the form for the new password. */
export async function showActivationPassword(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivation(services, request, 'query');
  if (result.kind === 'response') return result.response;
  return elsewhere(services, result, 'proven') ?? passwordPageOf(services, result, 200);
}

/** Sets the password, and goes on as after a sign-in. */
export async function submitActivationPassword(
  services: ActivationPageServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findActivation(services, request, 'form');
  if (result.kind === 'response') return result.response;
  const { found, activation } = result;
  const other = elsewhere(services, result, 'proven');
  if (other !== undefined || activation === undefined)
    return other ?? redirectToPage(services, request, found, 'activation');
  const password = parameterOf(request.form, 'password') ?? '';
  if (password === '') return passwordPageOf(services, result, 400, 'missing');
  if (password !== parameterOf(request.form, 'again'))
    return passwordPageOf(services, result, 400, 'different');
  const about = aboutRequest(found, activation);
  const answer = await services.activation.setPassword({ act: 'set-password', ...about, password });
  if (answer.kind === 'activated') {
    const { sub } = answer;
    const patients = await services.patientsOf(request.lob, { sub });
    await services.verification.forgetFailures(sub);
    return await completeAuthentication(services, found.request, found, {
      account: { sub, patients },
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

async function findActivation(
  services: ActivationPageServices,
  request: BrowserRequest,
  from: 'query' | 'form',
): Promise<Found> {
  const find = from === 'form' ? findInteractionOfForm : findInteractionOfQuery;
  const result = await find(services, request);
  if (result.kind === 'refusal') return { kind: 'response', response: result.response };
  const { found } = result;
  // Somebody is signed in already: the sign-in page leads on.
  if (found.interaction.state !== 'signing-in')
    return { kind: 'response', response: redirectToPage(services, found.request, found, 'sign-in') };
  const { interactionId } = found.interaction;
  const activation = await services.activations.find(request.lob, interactionId);
  return { kind: 'found', found, activation };
}

/** Counts a request for a code, by address and by what was typed, before anything is compared. */
async function countRequest(
  { verification }: ActivationPageServices,
  { request }: FoundInteraction,
  memberId: string,
): Promise<PageResponse | undefined> {
  const counts = [
    { rule: activationAddressRate, subject: callerBlock(request.address) },
    ...activationMemberRates.map((rule) => ({ rule, subject: memberIdSpellings(memberId)[1] })),
  ];
  for (const { rule, subject } of counts) {
    const verdict = await verification.rates.attempt(rule, subject);
    if (verdict.allowed) continue;
    const { retryAfterSeconds } = verdict;
    return { ...messagePage(429, 'too_many_codes', request.language), retryAfterSeconds };
  }
  return undefined;
}

/** The page of the step an activation is at, where that is another. */
function elsewhere(
  services: ActivationPageServices,
  { found, activation }: Extract<Found, { kind: 'found' }>,
  step: Activation['state'],
): BrowserResponse | undefined {
  const { state = 'none' } = activation ?? {};
  if (state === step) return undefined;
  const to = {
    none: 'activation',
    asked: 'activation-code',
    proven: 'activation-password',
    done: 'sign-in',
  } as const;
  return redirectToPage(services, found.request, found, to[state]);
}

function aboutRequest(
  { request, interaction }: FoundInteraction,
  { interactionId, requestId }: Pick<Activation, 'interactionId' | 'requestId'>,
) {
  const { lob, language, context } = request;
  const { clientRequestId } = context;
  return {
    ...{ lob, interactionId, requestId, language },
    clientId: interaction.request?.clientId ?? connectedAppsClientId,
    request: { requestId: context.requestId, ...(clientRequestId !== undefined && { clientRequestId }) },
  };
}

function aboutEvent({ now, random }: ActivationPageServices, found: FoundInteraction) {
  const { environment } = found.request.context;
  const { lob, clientId, request } = aboutRequest(found, { interactionId: '', requestId: '' });
  return [
    { environment, now, random },
    { lob, clientId, request },
  ] as const;
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

/** @returns `YYYY-MM-DD`; undefined for no day of the calendar. */
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
  return pageOf(found, status, detailsPage({ ...common(services, found), missing, ...(typed && { typed }) }));
}

function codePageOf(
  services: ActivationPageServices,
  found: FoundInteraction,
  status: number,
  error?: CodeError,
): PageResponse {
  return pageOf(found, status, activationCodePage({ ...common(services, found), error }));
}

function passwordPageOf(
  services: ActivationPageServices,
  { found, activation }: Extract<Found, { kind: 'found' }>,
  status: number,
  error?: PasswordError,
): PageResponse {
  const memberId = memberIdSpellings(activation?.proof?.memberId ?? '')[1];
  return pageOf(found, status, activationPasswordPage({ ...common(services, found), memberId, error }));
}

function common({ digests }: ActivationPageServices, { request, binding }: FoundInteraction) {
  const { language, lob } = request;
  return { language, lob, handle: binding.handle, formToken: formTokenOf(binding, digests) };
}

function pageOf({ interaction }: FoundInteraction, status: number, html: string): PageResponse {
  const target = interaction.request?.redirectUri;
  return { kind: 'page', status, html, ...(target !== undefined && { formAction: formActionOf(target) }) };
}
