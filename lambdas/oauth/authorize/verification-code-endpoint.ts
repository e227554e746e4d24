import { type CodeError, codePage } from '../pages/code-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import { pageText } from '../pages/words/words.ts';
import { parameterOf } from '../parameters.ts';
import type { SignedInMember } from '../ports.ts';
import { bindingCookie, formTokenOf } from './browser-binding.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import { completeSignIn, signInEvent } from './complete-sign-in.ts';
import { type FoundInteraction, findInteractionOfForm, findInteractionOfQuery } from './find-interaction.ts';
import { interactionPageUrl } from './next-page.ts';
import {
  chooseDestination,
  maskContact,
  mostTries,
  parseVerificationCode,
  resendAfterSeconds,
  type SentVerificationCode,
  type VerificationChannel,
  verificationCodeRates,
  verificationCodeSeconds,
  verificationDigestInput,
  verificationTryRate,
} from './verification-code.ts';

/** The password was right and isn't enough: a code is sent, and the member led to its page. */
export async function requireVerificationCode(
  server: AuthorizationServer,
  found: FoundInteraction,
  member: SignedInMember,
  name: string,
  keep: boolean,
): Promise<BrowserResponse> {
  const made = await createVerificationCode(server, found, member, 'email', name);
  if ('refused' in made) return made.refused;
  const asked = await server.signIns.askCode({ ...made.step, member, keep });
  return asked
    ? await sendVerificationCode(server, found, made)
    : messagePage(400, 'interaction_expired', found.request.language);
}

/** The page that asks for the code. */
export async function showVerificationCode(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const found = await findInteractionOfQuery(server, request);
  if ('refused' in found) return found.refused;
  return elsewhere(server, found) ?? page(server, found, 200);
}

/** The code, typed; or the wish for another one. */
export async function submitVerificationCode(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const found = await findInteractionOfForm(server, request);
  if ('refused' in found) return found.refused;
  const { member, verification } = found.interaction;
  const other = elsewhere(server, found);
  if (other !== undefined || member === undefined || verification === undefined) {
    return other ?? messagePage(400, 'interaction_unknown', found.request.language);
  }
  const answer = parameterOf(request.form, 'answer');
  if (answer === 'email' || answer === 'sms')
    return await resend(server, found, member, verification, answer);
  return await check(server, found, member, verification);
}

/**
 * Of tries at the same time one counts, and the others are told to try again, right or wrong: nobody learns from a code
 * more than five times.
 */
async function check(
  server: AuthorizationServer,
  found: FoundInteraction,
  member: SignedInMember,
  verification: SentVerificationCode,
): Promise<BrowserResponse> {
  const { request, interaction } = found;
  const { lob } = request;
  const now = Math.floor(server.now() / 1000);
  const code = parseVerificationCode(parameterOf(request.form, 'code'));
  if (code === undefined) return page(server, found, 400, 'none');
  if (verification.tries >= mostTries || verification.expiresAt <= now)
    return page(server, found, 400, 'over');
  const tries = await server.verification.rates.attempt(verificationTryRate, member.sub);
  if (!tries.allowed) {
    const { retryAfterSeconds } = tries;
    return { ...messagePage(429, 'too_many_code_tries', request.language), retryAfterSeconds };
  }
  const mac = await server.verification.mac(verificationDigestInput(lob, interaction.interactionId, code));
  if (server.digests.equal(mac, verification.mac)) {
    const keep = interaction.keep === true;
    const answer = await completeSignIn(server, request, found, { member, keep, verification });
    if ('location' in answer) await server.verification.forgetFailures(verification.name);
    return 'location' in answer ? answer : page(server, found, 400, 'busy');
  }
  const audit = signInEvent(server, request, found, { outcome: 'refused', reason: 'code_wrong', member });
  const { interactionId } = interaction;
  const counted = await server.signIns.wrongCode({ lob, interactionId, now, verification, audit });
  return page(server, found, 400, counted ? 'wrong' : 'busy');
}

async function resend(
  server: AuthorizationServer,
  found: FoundInteraction,
  member: SignedInMember,
  { sentAt, name }: SentVerificationCode,
  channel: VerificationChannel,
): Promise<BrowserResponse> {
  const now = Math.floor(server.now() / 1000);
  if (sentAt > now - resendAfterSeconds) return page(server, found, 400, 'tooSoon');
  const made = await createVerificationCode(server, found, member, channel, name);
  if ('refused' in made) return made.refused;
  const asked = await server.signIns.askCodeAgain({ ...made.step, notBefore: now - resendAfterSeconds });
  return asked ? await sendVerificationCode(server, found, made) : page(server, found, 400, 'tooSoon');
}

/** A code with where it goes, counted against its destination. */
async function createVerificationCode(
  server: AuthorizationServer,
  found: FoundInteraction,
  member: SignedInMember,
  wanted: VerificationChannel,
  name: string,
) {
  const { request, interaction } = found;
  const { lob, language } = request;
  const { verification, random } = server;
  const destination = chooseDestination(await verification.contact(lob, member.sub), wanted);
  if (destination === undefined) return { refused: messagePage(503, 'code_unsendable', language) };
  for (const rule of verificationCodeRates) {
    const verdict = await verification.rates.attempt(rule, destination.to);
    if (!verdict.allowed) {
      const { retryAfterSeconds } = verdict;
      return { refused: { ...messagePage(429, 'too_many_codes', language), retryAfterSeconds } };
    }
  }
  const now = Math.floor(server.now() / 1000);
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
  const audit = signInEvent(server, request, found, { outcome: 'refused', reason: 'code_asked', member });
  const expiresAt = now + server.interactionSeconds;
  const { interactionId } = interaction;
  return { code, destination, step: { lob, interactionId, now, verification: made, expiresAt, audit } };
}

/** Sent once its digest is in the table: a code that was never sent does no harm, one without digest would. */
async function sendVerificationCode(
  server: AuthorizationServer,
  found: FoundInteraction,
  made: {
    readonly code: string;
    readonly destination: { readonly channel: VerificationChannel; readonly to: string };
  },
): Promise<BrowserResponse> {
  const { language, lob } = found.request;
  const { code: strings, plans } = pageText[language];
  const { code, destination } = made;
  const sent = await server.verification.send({
    ...destination,
    subject: strings.subject(plans[lob]),
    text: (destination.channel === 'email' ? strings.email : strings.textMessage)(code, plans[lob]),
  });
  if (!sent) return messagePage(503, 'code_unsendable', language);
  const cookie = bindingCookie(found.binding, server.interactionSeconds);
  return { location: interactionPageUrl(server, found.request, found, 'code'), setCookies: [cookie] };
}

function elsewhere(server: AuthorizationServer, found: FoundInteraction): BrowserResponse | undefined {
  const { state } = found.interaction;
  if (state === 'verifying') return undefined;
  const to = state === 'consenting' ? 'consent' : 'sign-in';
  return { location: interactionPageUrl(server, found.request, found, to) };
}

function page(
  server: AuthorizationServer,
  { binding, interaction, request }: FoundInteraction,
  status: number,
  error?: CodeError,
): BrowserResponse {
  const html = codePage({
    language: request.language,
    lob: request.lob,
    handle: binding.handle,
    formToken: formTokenOf(binding, server.digests),
    destination: interaction.verification?.destination ?? '',
    error,
  });
  const target = interaction.request?.redirectUri;
  return { status, html, ...(target !== undefined && { formAction: formActionOf(target) }) };
}
