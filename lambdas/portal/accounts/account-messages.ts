import type { MailEntry } from '../api/outbox.ts';

/**
 * The words of the portal's messages: plain text, one idea each. What a person typed stands in no header, and in no body as
 * something a mail program would make a link of.
 */

function mail(to: string, subject: string, paragraphs: readonly string[]): MailEntry {
  return { kind: 'mail', to, subject, text: `${paragraphs.join('\n\n')}\n` };
}

/**
 * A name as it may stand in a mail to somebody else: an address in it is no link any more, in whichever characters that mail programs
 * and browsers take for a dot, a slash or the like (UTS #46 section 4, and their compatible forms).
 */
export function harmless(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[.:/@\\\u3002\u2215\u2044\uA789\u2236]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80);
}

export function codeMail(to: string, code: string, origin: string): MailEntry {
  return mail(to, `${code} is your code for the developer portal`, [
    `Your code is ${code}.`,
    'It is valid for 10 minutes. Type it on the page that asked for it. We never ask for it by phone or mail.',
    `If you did not ask for a code at ${origin}, you can ignore this message.`,
  ]);
}

/** At most 160 characters of the GSM alphabet: one text. The last line is what phones fill in by themselves. */
export function codeTextMessage(code: string): string {
  return `${code} is your code for the Member Data developer portal. Valid for 10 minutes. Do not share it.`;
}

/** To the owner of an address somebody tried to sign up with again. */
export function addressInUseMail(to: string, origin: string): MailEntry {
  return mail(to, 'You already have a developer portal account', [
    'Somebody tried to sign up for the developer portal with your e-mail address. You already have an account.',
    `If this was you, sign in at ${origin}/sign-in, or set a new password at ${origin}/password-reset.`,
    'If it was not you, you need do nothing: nobody got in.',
  ]);
}

/** To an address that somebody asked to reset a password for, and that has no account. */
export function noAccountMail(to: string, origin: string): MailEntry {
  return mail(to, 'No developer portal account for this address', [
    'Somebody asked to set a new password for the developer portal with your e-mail address. There is no account with it.',
    `If this was you, try the address you signed up with, or sign up at ${origin}/sign-up.`,
    'If it was not you, you can ignore this message.',
  ]);
}

export function lockedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal account is locked', [
    'There were twenty wrong passwords in a row for your account, so we have locked it.',
    `Set a new password at ${origin}/password-reset to open it again.`,
  ]);
}

export function passwordChangedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal password was changed', [
    'The password of your account was changed, and every other session has ended.',
    `If it was not you, set a new password at once: ${origin}/password-reset.`,
  ]);
}

/** To the old address. */
export function emailChangedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal e-mail address was changed', [
    'Your account has another e-mail address now. This is the last message to this one.',
    `If it was not you, write to the address at the foot of ${origin} at once.`,
  ]);
}

export function phoneChangedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal phone number was changed', [
    'Your account has another phone number now.',
    `If it was not you, set a new password at once: ${origin}/password-reset.`,
  ]);
}

export function authenticatorMail(to: string, origin: string): MailEntry {
  return mail(to, 'An authenticator app was set up for your operator account', [
    'From now on the code at your sign-in comes from the authenticator app.',
    `If it was not you, set a new password at once: ${origin}/password-reset, and tell another operator.`,
  ]);
}

export function authenticatorResetMail(to: string, origin: string): MailEntry {
  return mail(to, 'The authenticator app of your operator account was reset', [
    'Another operator has reset it, and your sessions have ended. At your next sign-in a code is sent to you.',
    `Sign in at ${origin}/sign-in and set an app up again. If you did not ask for this, tell another operator at once.`,
  ]);
}

export function closedMail(to: string): MailEntry {
  return mail(to, 'Your developer portal account is closed', [
    'Your account is closed. Nobody can sign in with it any more.',
  ]);
}

export function invitationMail(
  to: string,
  from: { readonly name: string; readonly team: string },
  link: string,
): MailEntry {
  return mail(to, 'You are invited to a team of the developer portal', [
    `${harmless(from.name)} invites you to the team “${harmless(from.team)}”.`,
    `Accept within 7 days: ${link}`,
    'The link is for you alone and works once. If you do not know who this is, you can ignore this message.',
  ]);
}

export function verifiedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal account is open', [
    'We have verified your organization. Your account is open.',
    `Sign in and register your first application: ${origin}/sign-in`,
  ]);
}

export function refusedMail(to: string, reason: string): MailEntry {
  return mail(to, 'Your developer portal account was not opened', [
    'We could not verify your organization. The reason:',
    reason,
    'You may sign up again once this is mended.',
  ]);
}

export function suspendedMail(to: string, reason: string): MailEntry {
  return mail(to, 'Your developer portal account is suspended', [
    'We have suspended your account. The reason:',
    reason,
  ]);
}

export function resumedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal account is open again', [
    `Your account is open again. Sign in at ${origin}/sign-in.`,
  ]);
}
