/** Completes an activation: creates or links the Cognito user and sets the password. */

import type { MemberContact } from '../authorize/verification-code.ts';
import { pageText } from '../pages/words/words.ts';
import { type ActivationProof, memberIdSpellings } from './activation.ts';
import type { ActivationAnswer, PasswordRequest } from './activation-contract.ts';
import { activationEvent } from './activation-event.ts';
import type { AccountLink, ActivationServices, FoundContact } from './activation-services.ts';
import { matchesBirthDate } from './matching.ts';

/** Characters of a password (NIST SP 800-63B-4 section 3.1.1.2); the user pool has the same policy. */
const passwordLength = { least: 15, most: 128 } as const;

/** Number of tries to add a link while other activations change the same account. */
const mostAttempts = 5;

/** The member or representative who entered a right code, with their current contact data. */
interface ProvenMember {
  readonly proof: ActivationProof;
  readonly contact: FoundContact;
  readonly username: string;
}

/**
 * Sets the password of an activation: creates an account, links the account that the person has in another LOB, or replaces the password.
 * The link is added before the password is set, so that the password never opens another person's data. Sessions end when the link is added
 * and again when the activation completes: an invocation that fails in between leaves no session open, and a session that began with the
 * old password meanwhile ends too.
 */
export async function setActivatedPassword(
  services: ActivationServices,
  request: PasswordRequest,
): Promise<ActivationAnswer> {
  const { store, accounts } = services;
  const { lob, interactionId, requestId, password } = request;
  const activation = await store.find(lob, interactionId);
  const isProven = activation?.requestId === requestId && activation.state === 'proven';
  const inTime = (activation?.expiresAt ?? 0) > Math.floor(services.now() / 1000);
  const { proof } = activation ?? {};
  if (!isProven || !inTime || proof === undefined) return refusal('expired');
  const contact = await services.contactOf(lob, proof.memberId);
  if (contact?.place.patientId !== proof.patientId || !isOnFile(services, proof, contact.reachable)) {
    return await refuse(services, request, proof, 'contact_changed');
  }
  const length = [...password.normalize('NFKC')].length;
  if (length < passwordLength.least || length > passwordLength.most) return refusal('password_short');
  const username = memberIdSpellings(contact.place.memberId)[1];
  if (services.isKnownPassword(password, [contact.data.name, proof.memberId, ...contact.data.emails])) {
    return refusal('password_known');
  }
  const member = { proof, contact, username };
  const linked = await linkAccount(services, request, member);
  if (linked.kind === 'refusal') return await refuse(services, request, proof, linked.reason);
  const { sub, hadPassword } = linked;
  await accounts.setPassword(username, password);
  const { patientId } = proof;
  const reason = hadPassword ? 'password_replaced' : 'account_created';
  const audit = activationEvent(services, request, 'succeeded', reason, { sub, patientId });
  if (!(await store.complete({ lob, activation, sub, audit }))) return refusal('expired');
  if (hadPassword) await tellMember(services, request, contact.reachable);
  return { kind: 'activated', sub, sessionEpoch: await services.sessionEpochOf(sub) };
}

type LinkedAccount =
  | { readonly kind: 'linked'; readonly sub: string; readonly hadPassword: boolean }
  | { readonly kind: 'refusal'; readonly reason: string };

/**
 * Creates the account and adds the link. If two activations create the account at the same time, the second one fails to add its link, and
 * repeats with the first one's link in sight.
 */
async function linkAccount(
  services: ActivationServices,
  { lob }: PasswordRequest,
  member: ProvenMember,
): Promise<LinkedAccount> {
  const { accounts, links } = services;
  const { proof, contact, username } = member;
  const { patientId, memberId } = proof;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const account = await accounts.ensure(username);
    if (account.kind === 'unusable') return { kind: 'refusal', reason: 'member_id_unusable' };
    const { sub, enabled, hasPassword } = account;
    if (!enabled) return { kind: 'refusal', reason: 'account_disabled' };
    const known = await links.find(sub, username);
    // An account with a password but no link belongs to another person, whose link is in another LOB or not written yet.
    const isStray = hasPassword && known.links.length === 0 && known.added === 0;
    if (isStray || !(await areOfSamePerson(services, known.links, lob, member))) {
      return { kind: 'refusal', reason: 'other_account' };
    }
    const link = { lob, memberId, sub, username, displayName: contact.data.name };
    const target = contact.isRepresentative
      ? ({ isRepresentative: true } as const)
      : ({ isRepresentative: false, patientId } as const);
    if (await links.add({ ...link, ...target }, known.added))
      return { kind: 'linked', sub, hadPassword: hasPassword };
  }
  throw new Error('an account changes faster than it can be linked');
}

/**
 * Whether every link of the account leads to the person who entered the code. In the same LOB it must be the same link. Another LOB may
 * give the same member ID to another person, so there the birth date and the contact must match. A representative who has since become a
 * member of the same LOB is refused: the plan's data can't tell them from another person with that ID.
 */
async function areOfSamePerson(
  services: ActivationServices,
  links: readonly AccountLink[],
  lob: AccountLink['lob'],
  { proof, contact }: ProvenMember,
): Promise<boolean> {
  const { birthDate = '' } = contact.data;
  for (const link of links) {
    if (link.lob === lob) {
      if (!isLinkOf(link, proof, contact)) return false;
      continue;
    }
    const other = await services.contactOf(link.lob, link.memberId);
    if (other === undefined || !isLinkOf(link, other.place, other)) return false;
    if (!matchesBirthDate(birthDate, other.data.birthDate ?? '')) return false;
    if (!isOnFile(services, proof, other.reachable)) return false;
  }
  return true;
}

function isLinkOf(
  link: AccountLink,
  { patientId, memberId }: Pick<ActivationProof, 'patientId' | 'memberId'>,
  { isRepresentative }: FoundContact,
): boolean {
  if (link.isRepresentative) return isRepresentative && link.memberId === memberId;
  return !isRepresentative && link.patientId === patientId;
}

function isOnFile(
  { digests }: ActivationServices,
  { destinationSha256 }: ActivationProof,
  { email, phoneNumber }: MemberContact,
): boolean {
  return [email, phoneNumber].some(
    (to) => to !== undefined && digests.equal(digests.sha256Hex(to), destinationSha256),
  );
}

/** Tells the owner of an account on every channel that its password was replaced (NIST SP 800-63B-4 section 4.6). */
async function tellMember(
  { messages }: ActivationServices,
  { lob, language }: PasswordRequest,
  { email, phoneNumber }: MemberContact,
): Promise<void> {
  const { activation, plans } = pageText[language];
  const message = { subject: activation.changedSubject(plans[lob]), text: activation.changed(plans[lob]) };
  if (email !== undefined) await messages.send({ channel: 'email', to: email, ...message });
  if (phoneNumber !== undefined) await messages.send({ channel: 'sms', to: phoneNumber, ...message });
}

async function refuse(
  services: ActivationServices,
  request: PasswordRequest,
  { patientId }: ActivationProof,
  reason: string,
): Promise<ActivationAnswer> {
  await services.audit.record(activationEvent(services, request, 'refused', reason, { patientId }));
  return refusal('not_possible');
}

function refusal(why: Extract<ActivationAnswer, { kind: 'refusal' }>['refusal']): ActivationAnswer {
  return { kind: 'refusal', refusal: why };
}
