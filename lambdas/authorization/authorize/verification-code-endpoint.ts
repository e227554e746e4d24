/** Handles the page where a member enters the verification code, the second factor of sign-in. */

import type { MessageChannel } from '../../platform/kernel/outbound-message.ts';
import {
  type AccountReference,
  type AuthenticatedAccount,
  type FindPatientsOfAccount,
  referenceTo,
  type SignedInMember,
  soleMember,
} from '../oauth/member-account.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { type CodeError, codePage } from '../pages/code-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import { pageText } from '../pages/words/words.ts';
import type { InteractionTransition } from './authorization-store-port.ts';
import { bindingCookie, formTokenOf } from './browser-binding.ts';
import type { BrowserRequest, BrowserResponse, PageResponse } from './browser-request.ts';
import {
  type CompleteAuthenticationServices,
  completeAuthentication,
  signInEvent,
} from './complete-authentication.ts';
import {
  type FoundInteraction,
  findInteractionOfForm,
  findInteractionOfQuery,
  type InteractionServices,
} from './find-interaction.ts';
import { redirectToOtherPage, redirectToPage } from './redirect-to-page.ts';
import type { SignInStore } from './sign-in-store-port.ts';
import {
  chooseDestination,
  maskContact,
  mostTries,
  parseVerificationCode,
  resendAfterSeconds,
  type SentVerificationCode,
  type VerificationServices,
  verificationCodeRates,
  verificationCodeSeconds,
  verificationDigestInput,
  verificationTryRate,
} from './verification-code.ts';

export type VerificationCodeServices = InteractionServices &
  CompleteAuthenticationServices & {
    readonly signIns: Pick<SignInStore, 'askCode' | 'askCodeAgain' | 'wrongCode'>;
    readonly verification: VerificationServices;
    readonly patientsOf: FindPatientsOfAccount;
    readonly random: { digits(count: number): string };
    readonly interactionSeconds: number;
  };

/** The account that a code is sent to, and its patient if it has only one. */
interface AccountOfCode extends AccountReference {
  readonly member: SignedInMember | undefined;
}

/** A verification code with its destination, and the transition that stores its digest. */
interface CreatedVerificationCode {
  readonly kind: 'created';
  readonly code: string;
  readonly destination: { readonly channel: MessageChannel; readonly to: string };
  readonly transition: InteractionTransition & {
    readonly verification: SentVerificationCode;
    readonly expiresAt: number;
  };
}

/** Sends a verification code after the password was right, and redirects to the page where it is entered. */
export async function requireVerificationCode(
  services: VerificationCodeServices,
  found: FoundInteraction,
  account: AuthenticatedAccount,
  name: string,
  keep: boolean,
): Promise<BrowserResponse> {
  const member = soleMember(account);
  const reference = referenceTo(account);
  const made = await createVerificationCode(services, found, { ...reference, member }, 'email', name);
  if (made.kind === 'refusal') return made.response;
  const asked = await services.signIns.askCode({ ...made.transition, account: reference, member, keep });
  return asked
    ? await sendVerificationCode(services, found, made)
    : messagePage(400, 'interaction_expired', found.request.language);
}

/** Shows the page where the member enters the verification code. */
export async function showVerificationCode(
  services: VerificationCodeServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findInteractionOfQuery(services, request);
  if (result.kind === 'refusal') return result.response;
  const { found } = result;
  return redirectToOtherPage(services, found, 'code') ?? page(services, found, 200);
}

/** Handles the form of the verification code: a code that was typed, or a request for another one. */
export async function submitVerificationCode(
  services: VerificationCodeServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findInteractionOfForm(services, request);
  if (result.kind === 'refusal') return result.response;
  const { found } = result;
  const { member, account, verification } = found.interaction;
  const reference = account ?? member;
  const other = redirectToOtherPage(services, found, 'code');
  if (other !== undefined || reference === undefined || verification === undefined) {
    return other ?? messagePage(400, 'interaction_unknown', found.request.language);
  }
  const answer = parameterOf(request.form, 'answer');
  if (answer === 'email' || answer === 'sms')
    return await resend(services, found, { ...referenceTo(reference), member }, verification, answer);
  return await check(services, found, { ...referenceTo(reference), member }, verification);
}

/**
 * Verifies a typed code. Of several concurrent tries only one counts, and the others have to be repeated whether right or wrong, so that a
 * code can be guessed at most five times.
 */
async function check(
  services: VerificationCodeServices,
  found: FoundInteraction,
  { member, ...reference }: AccountOfCode,
  verification: SentVerificationCode,
): Promise<BrowserResponse> {
  const { sub } = reference;
  const { request, interaction } = found;
  const { lob } = request;
  const now = Math.floor(services.now() / 1000);
  const code = parseVerificationCode(parameterOf(request.form, 'code'));
  if (code === undefined) return page(services, found, 400, 'none');
  if (verification.tries >= mostTries || verification.expiresAt <= now)
    return page(services, found, 400, 'over');
  const tries = await services.verification.rates.attempt(verificationTryRate, sub);
  if (tries.kind === 'limited') {
    const { retryAfterSeconds } = tries;
    return { ...messagePage(429, 'too_many_code_tries', request.language), retryAfterSeconds };
  }
  const mac = await services.verification.mac(verificationDigestInput(lob, interaction.interactionId, code));
  if (services.digests.equal(mac, verification.mac)) {
    const keep = interaction.keep === true;
    const account = { ...reference, patients: await services.patientsOf(lob, { sub }) };
    const answer = await completeAuthentication(services, request, found, { account, keep, verification });
    if (answer.kind === 'page') return answer.status === 403 ? answer : page(services, found, 400, 'busy');
    await services.verification.forgetFailures(verification.name);
    return answer;
  }
  const decision = { outcome: 'refused', reason: 'code_wrong', account: { sub }, member } as const;
  const audit = signInEvent(services, request, found, decision);
  const { interactionId } = interaction;
  const counted = await services.signIns.wrongCode({ lob, interactionId, now, verification, audit });
  return page(services, found, 400, counted ? 'wrong' : 'busy');
}

async function resend(
  services: VerificationCodeServices,
  found: FoundInteraction,
  account: AccountOfCode,
  { sentAt, name }: SentVerificationCode,
  channel: MessageChannel,
): Promise<BrowserResponse> {
  const now = Math.floor(services.now() / 1000);
  if (sentAt > now - resendAfterSeconds) return page(services, found, 400, 'tooSoon');
  const made = await createVerificationCode(services, found, account, channel, name);
  if (made.kind === 'refusal') return made.response;
  const asked = await services.signIns.askCodeAgain({
    ...made.transition,
    notBefore: now - resendAfterSeconds,
  });
  return asked ? await sendVerificationCode(services, found, made) : page(services, found, 400, 'tooSoon');
}

/** Creates a verification code, and counts it against the limits of its destination. */
async function createVerificationCode(
  services: VerificationCodeServices,
  found: FoundInteraction,
  { sub, member }: AccountOfCode,
  wanted: MessageChannel,
  name: string,
): Promise<CreatedVerificationCode | { readonly kind: 'refusal'; readonly response: PageResponse }> {
  const { request, interaction } = found;
  const { lob, language } = request;
  const { verification, random } = services;
  const destination = chooseDestination(await verification.contact(lob, sub), wanted);
  if (destination === undefined)
    return { kind: 'refusal', response: messagePage(503, 'code_unsendable', language) };
  for (const rule of verificationCodeRates) {
    const verdict = await verification.rates.attempt(rule, destination.to);
    if (verdict.kind === 'limited') {
      const { retryAfterSeconds } = verdict;
      const response = { ...messagePage(429, 'too_many_codes', language), retryAfterSeconds };
      return { kind: 'refusal', response };
    }
  }
  const now = Math.floor(services.now() / 1000);
  const code = random.digits(6);
  const made: SentVerificationCode = {
    mac: await verification.mac(verificationDigestInput(lob, interaction.interactionId, code)),
    channel: destination.channel,
    destination: maskContact(destination),
    name,
    sentAt: now,
    expiresAt: now + verificationCodeSeconds,
    tries: 0,
  };
  const decision = { outcome: 'refused', reason: 'code_asked', account: { sub }, member } as const;
  const audit = signInEvent(services, request, found, decision);
  const expiresAt = now + services.interactionSeconds;
  const { interactionId } = interaction;
  const transition = { lob, interactionId, now, verification: made, expiresAt, audit };
  return { kind: 'created', code, destination, transition };
}

/** Sends a code after its digest is stored: a digest without a code is harmless, a code without a digest could not be verified. */
async function sendVerificationCode(
  services: VerificationCodeServices,
  found: FoundInteraction,
  { code, destination }: CreatedVerificationCode,
): Promise<BrowserResponse> {
  const { language, lob } = found.request;
  const { code: strings, plans } = pageText[language];
  const sent = await services.verification.send({
    ...destination,
    subject: strings.subject(plans[lob]),
    text: (destination.channel === 'email' ? strings.email : strings.textMessage)(code, plans[lob]),
  });
  if (!sent) return messagePage(503, 'code_unsendable', language);
  const cookie = bindingCookie(found.binding, services.interactionSeconds);
  return redirectToPage(services, found.request, found, 'code', [cookie]);
}

function page(
  services: Pick<VerificationCodeServices, 'digests'>,
  { binding, interaction, request }: FoundInteraction,
  status: number,
  error?: CodeError,
): PageResponse {
  const html = codePage({
    language: request.language,
    lob: request.lob,
    handle: binding.handle,
    formToken: formTokenOf(binding, services.digests),
    destination: interaction.verification?.destination ?? '',
    error,
  });
  const target = interaction.request?.redirectUri;
  return { kind: 'page', status, html, ...(target !== undefined && { formAction: formActionOf(target) }) };
}
