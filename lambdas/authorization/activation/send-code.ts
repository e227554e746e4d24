import { chooseDestination, verificationCodeRates } from '../authorize/verification-code.ts';
import { pageText } from '../pages/words/words.ts';
import { type Activation, activationDigestInput, memberIdSpellings } from './activation.ts';
import type { CodeRequest } from './activation-contract.ts';
import { activationEvent } from './activation-event.ts';
import type { ActivationServices, FoundContact } from './activation-services.ts';
import { matchesMember } from './matching.ts';

/**
 * Sends a code to the contact on file if the details match a member. Invoked asynchronously, so that the page's response does not reveal a
 * match. A retried invocation is harmless: its code replaces the first.
 */
export async function sendActivationCode(services: ActivationServices, request: CodeRequest): Promise<void> {
  const { store, messages, digests, random } = services;
  const { lob, interactionId, requestId, language, channel } = request;
  const activation = await store.find(lob, interactionId);
  if (activation?.requestId !== requestId || activation.state !== 'asked') return;
  const contact = await memberOf(services, request, activation);
  if (contact === undefined) return await refuse(services, request, 'no_match');
  const { patientId, memberId } = contact.place;
  const destination = chooseDestination(contact.reachable, channel);
  if (destination === undefined) return await refuse(services, request, 'no_channel', patientId);
  for (const rule of verificationCodeRates) {
    const verdict = await messages.rates.attempt(rule, destination.to);
    if (verdict.kind === 'limited') return await refuse(services, request, 'too_many_codes', patientId);
  }
  const code = random.digits(6);
  const kept = await store.keepProof({
    lob,
    activation,
    proof: {
      mac: await messages.mac(activationDigestInput(lob, activation, code)),
      patientId,
      memberId,
      destinationSha256: digests.sha256Hex(destination.to),
    },
    audit: activationEvent(services, request, 'refused', 'code_asked', { patientId }),
  });
  if (!kept) return;
  const { activation: strings, plans } = pageText[language];
  await messages.send({
    ...destination,
    subject: strings.subject(plans[lob]),
    text: (destination.channel === 'email' ? strings.email : strings.textMessage)(code, plans[lob]),
  });
}

/** Finds the member whose details were typed or, for another code of the same activation, the member who matched before. */
async function memberOf(
  { contactOf }: ActivationServices,
  request: CodeRequest,
  { memberId, proof }: Activation,
): Promise<FoundContact | undefined> {
  if (request.act === 'send-again') {
    const contact = proof && (await contactOf(request.lob, proof.memberId));
    return contact?.place.patientId === proof?.patientId ? contact : undefined;
  }
  for (const spelling of new Set(memberIdSpellings(memberId))) {
    const contact = await contactOf(request.lob, spelling);
    if (contact !== undefined) return matchesMember(request, contact.data) ? contact : undefined;
  }
  return undefined;
}

async function refuse(
  services: ActivationServices,
  request: CodeRequest,
  reason: 'no_match' | 'no_channel' | 'too_many_codes',
  patientId?: string,
): Promise<void> {
  const who = patientId === undefined ? {} : { patientId };
  await services.audit.record(activationEvent(services, request, 'refused', reason, who));
}
