import type { SignedInMember } from '../member-account.ts';
import { type CodeError, codePage } from '../pages/code-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import { pageText } from '../pages/words/words.ts';
import { parameterOf } from '../parameters.ts';
import type { InteractionTransition } from './authorization-store.ts';
import { bindingCookie, formTokenOf } from './browser-binding.ts';
import type { BrowserRequest, BrowserResponse, PageResponse } from './browser-request.ts';
import { type CompleteSignInServices, completeSignIn, signInEvent } from './complete-sign-in.ts';
import {
  type FoundInteraction,
  findInteractionOfForm,
  findInteractionOfQuery,
  type InteractionServices,
} from './find-interaction.ts';
import { redirectToPage } from './redirect-to-page.ts';
import type { SignInStore } from './sign-in-store.ts';
import {
  chooseDestination,
  maskContact,
  mostTries,
  parseVerificationCode,
  resendAfterSeconds,
  type SentVerificationCode,
  type VerificationChannel,
  type VerificationServices,
  verificationCodeRates,
  verificationCodeSeconds,
  verificationDigestInput,
  verificationTryRate,
} from './verification-code.ts';

/** Services of the verification code's page. */
export type VerificationCodeServices = InteractionServices &
  CompleteSignInServices & {
    readonly signIns: Pick<SignInStore, 'askCode' | 'askCodeAgain' | 'wrongCode'>;
    readonly verification: VerificationServices;
    readonly random: { digits(count: number): string };
    readonly interactionSeconds: number;
  };

/** A verification code with its destination, and the transition that stores its digest. */
interface CreatedVerificationCode {
  readonly kind: 'created';
  readonly code: string;
  readonly destination: { readonly channel: VerificationChannel; readonly to: string };
  readonly transition: InteractionTransition & {
    readonly verification: SentVerificationCode;
    readonly expiresAt: number;
  };
}

/** Sends a verification code after the password, and redirects to its page. */
export async function requireVerificationCode(
  services: VerificationCodeServices,
  found: FoundInteraction,
  member: SignedInMember,
  name: string,
  keep: boolean,
): Promise<BrowserResponse> {
  const made = await createVerificationCode(services, found, member, 'email', name);
  if (made.kind === 'refusal') return made.response;
  const asked = await services.signIns.askCode({ ...made.transition, member, keep });
  return asked
    ? await sendVerificationCode(services, found, made)
    : messagePage(400, 'interaction_expired', found.request.language);
}

/** Shows the page of the verification code. */
export async function showVerificationCode(
  services: VerificationCodeServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findInteractionOfQuery(services, request);
  if (result.kind === 'refusal') return result.response;
  const { found } = result;
  return redirectElsewhere(services, found) ?? page(services, found, 200);
}

/** Handles the form of the verification code: a code that was typed, or a request for another one. */
export async function submitVerificationCode(
  services: VerificationCodeServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = await findInteractionOfForm(services, request);
  if (result.kind === 'refusal') return result.response;
  const { found } = result;
  const { member, verification } = found.interaction;
  const other = redirectElsewhere(services, found);
  if (other !== undefined || member === undefined || verification === undefined) {
    return other ?? messagePage(400, 'interaction_unknown', found.request.language);
  }
  const answer = parameterOf(request.form, 'answer');
  if (answer === 'email' || answer === 'sms')
    return await resend(services, found, member, verification, answer);
  return await check(services, found, member, verification);
}

/**
 * Verifies a typed code. Of concurrent tries one counts, and the others are told to try again, right or wrong: each code
 * answers at most five guesses.
 */
async function check(
  services: VerificationCodeServices,
  found: FoundInteraction,
  member: SignedInMember,
  verification: SentVerificationCode,
): Promise<BrowserResponse> {
  const { request, interaction } = found;
  const { lob } = request;
  const now = Math.floor(services.now() / 1000);
  const code = parseVerificationCode(parameterOf(request.form, 'code'));
  if (code === undefined) return page(services, found, 400, 'none');
  if (verification.tries >= mostTries || verification.expiresAt <= now)
    return page(services, found, 400, 'over');
  const tries = await services.verification.rates.attempt(verificationTryRate, member.sub);
  if (!tries.allowed) {
    const { retryAfterSeconds } = tries;
    return { ...messagePage(429, 'too_many_code_tries', request.language), retryAfterSeconds };
  }
  const mac = await services.verification.mac(verificationDigestInput(lob, interaction.interactionId, code));
  if (services.digests.equal(mac, verification.mac)) {
    const keep = interaction.keep === true;
    const answer = await completeSignIn(services, request, found, { member, keep, verification });
    if (answer.kind === 'page') return page(services, found, 400, 'busy');
    await services.verification.forgetFailures(verification.name);
    return answer;
  }
  const audit = signInEvent(services, request, found, { outcome: 'refused', reason: 'code_wrong', member });
  const { interactionId } = interaction;
  const counted = await services.signIns.wrongCode({ lob, interactionId, now, verification, audit });
  return page(services, found, 400, counted ? 'wrong' : 'busy');
}

async function resend(
  services: VerificationCodeServices,
  found: FoundInteraction,
  member: SignedInMember,
  { sentAt, name }: SentVerificationCode,
  channel: VerificationChannel,
): Promise<BrowserResponse> {
  const now = Math.floor(services.now() / 1000);
  if (sentAt > now - resendAfterSeconds) return page(services, found, 400, 'tooSoon');
  const made = await createVerificationCode(services, found, member, channel, name);
  if (made.kind === 'refusal') return made.response;
  const asked = await services.signIns.askCodeAgain({
    ...made.transition,
    notBefore: now - resendAfterSeconds,
  });
  return asked ? await sendVerificationCode(services, found, made) : page(services, found, 400, 'tooSoon');
}

/** Creates a verification code, counted against its destination. */
async function createVerificationCode(
  services: VerificationCodeServices,
  found: FoundInteraction,
  member: SignedInMember,
  wanted: VerificationChannel,
  name: string,
): Promise<CreatedVerificationCode | { readonly kind: 'refusal'; readonly response: PageResponse }> {
  const { request, interaction } = found;
  const { lob, language } = request;
  const { verification, random } = services;
  const destination = chooseDestination(await verification.contact(lob, member.sub), wanted);
  if (destination === undefined)
    return { kind: 'refusal', response: messagePage(503, 'code_unsendable', language) };
  for (const rule of verificationCodeRates) {
    const verdict = await verification.rates.attempt(rule, destination.to);
    if (!verdict.allowed) {
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
  const audit = signInEvent(services, request, found, { outcome: 'refused', reason: 'code_asked', member });
  const expiresAt = now + services.interactionSeconds;
  const { interactionId } = interaction;
  const transition = { lob, interactionId, now, verification: made, expiresAt, audit };
  return { kind: 'created', code, destination, transition };
}

/** Sends a code once its digest is stored: a code that is never sent does no harm, one without a digest would. */
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

function redirectElsewhere(
  services: Pick<VerificationCodeServices, 'origins'>,
  found: FoundInteraction,
): BrowserResponse | undefined {
  const { state } = found.interaction;
  if (state === 'verifying') return undefined;
  const to = state === 'consenting' ? 'consent' : 'sign-in';
  return redirectToPage(services, found.request, found, to);
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
