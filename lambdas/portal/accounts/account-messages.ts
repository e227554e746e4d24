import type { MailEntry } from '../api/outbox.ts';

/**
 * The texts of the portal's e-mails and text messages, in plain text. Text that a person typed never goes into a header, and is changed so
 * that no mail program turns it into a link.
 */

function mail(to: string, subject: string, paragraphs: readonly string[]): MailEntry {
  return { kind: 'mail', to, subject, text: `${paragraphs.join('\n\n')}\n` };
}

/**
 * Makes a name safe for a mail to somebody else: replaces dots, slashes, colons and `@`, and the characters that mail programs and browsers
 * treat as such (UTS #46 section 4, and their compatibility forms), so that the name contains no link. At most 80 characters.
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
    'The code is valid for 10 minutes. Enter it on the page that asked for it. We never ask for it by phone or mail.',
    `If you did not request a code at ${origin}, ignore this message.`,
  ]);
}

/** A text message with a code: at most 160 characters of the GSM alphabet, which are sent and charged as a single message. */
export function codeTextMessage(code: string): string {
  return `${code} is your code for the Member Data developer portal. Valid for 10 minutes. Do not share it.`;
}

/** Mail to the owner of an address with which somebody tried to sign up again. */
export function addressInUseMail(to: string, origin: string): MailEntry {
  return mail(to, 'You already have a developer portal account', [
    'Someone tried to sign up for the developer portal with your e-mail address. You already have an account.',
    `If this was you, sign in at ${origin}/sign-in, or set a new password at ${origin}/password-reset.`,
    'If this was not you, you do not need to do anything. No one signed in to your account.',
  ]);
}

/** Mail to an address without an account, for which somebody asked to reset a password. */
export function noAccountMail(to: string, origin: string): MailEntry {
  return mail(to, 'No developer portal account for this address', [
    'Someone asked to set a new developer portal password for your e-mail address. No account uses this address.',
    `If this was you, use the address you signed up with, or sign up at ${origin}/sign-up.`,
    'If this was not you, ignore this message.',
  ]);
}

export function lockedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal account is locked', [
    'We locked your account after 20 incorrect passwords in a row.',
    `Set a new password at ${origin}/password-reset to unlock it.`,
  ]);
}

export function passwordChangedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal password was changed', [
    'The password of your account was changed. All other sessions have ended.',
    `If this was not you, set a new password immediately: ${origin}/password-reset.`,
  ]);
}

/** Mail to the previous address of an account whose address has changed. */
export function emailChangedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal e-mail address was changed', [
    'Your account now has a different e-mail address. We send no more messages to this address.',
    `If this was not you, write immediately to the address at the bottom of ${origin}.`,
  ]);
}

export function phoneChangedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal phone number was changed', [
    'Your account now has a different phone number.',
    `If this was not you, set a new password immediately: ${origin}/password-reset.`,
  ]);
}

export function authenticatorMail(to: string, origin: string): MailEntry {
  return mail(to, 'An authenticator app was set up for your operator account', [
    'From now on, enter a code from the authenticator app when you sign in.',
    `If this was not you, set a new password immediately: ${origin}/password-reset. Then tell another operator.`,
  ]);
}

export function authenticatorResetMail(to: string, origin: string): MailEntry {
  return mail(to, 'The authenticator app of your operator account was reset', [
    'Another operator reset the app, and your sessions have ended. We send you a code at your next sign-in.',
    `Sign in at ${origin}/sign-in and set up an app again. If you did not ask for this, tell another operator immediately.`,
  ]);
}

export function closedMail(to: string): MailEntry {
  return mail(to, 'Your developer portal account is closed', [
    'Your account is closed. No one can sign in with it.',
  ]);
}

export function invitationMail(
  to: string,
  from: { readonly name: string; readonly team: string },
  link: string,
): MailEntry {
  return mail(to, 'You are invited to a developer portal team', [
    `${harmless(from.name)} invites you to the team “${harmless(from.team)}”.`,
    `Accept the invitation within 7 days: ${link}`,
    'The link is only for you and works once. If you do not know the sender, ignore this message.',
  ]);
}

export function verifiedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal account is active', [
    'We verified your organization. Your account is active.',
    `Sign in and register your first application: ${origin}/sign-in`,
  ]);
}

export function refusedMail(to: string, reason: string): MailEntry {
  return mail(to, 'Your developer portal account was not approved', [
    'We could not verify your organization. Reason:',
    reason,
    'You can sign up again after you correct this.',
  ]);
}

export function suspendedMail(to: string, reason: string): MailEntry {
  return mail(to, 'Your developer portal account is suspended', [
    'We suspended your account. Reason:',
    reason,
  ]);
}

export function resumedMail(to: string, origin: string): MailEntry {
  return mail(to, 'Your developer portal account is active again', [
    `Your account is active again. Sign in at ${origin}/sign-in.`,
  ]);
}
