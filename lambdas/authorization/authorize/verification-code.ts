/** Verification codes of a sign-in: when one is needed, its lifetime and tries. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { MemberVerification } from '../../catalog/oauth/member-verifications.ts';
import type { MessageChannel, OutboundMessage } from '../../platform/kernel/outbound-message.ts';
import type { RateRule, Rates } from '../../platform/kernel/rates.ts';

/** A verification code that was sent, as stored. Times are seconds since 1970. */
export interface SentVerificationCode {
  /** Keyed digest of the code and its interaction; the code itself is not stored. */
  readonly mac: string;
  readonly channel: MessageChannel;
  /** Masked address or number, as the page shows it. */
  readonly destination: string;
  /** Name whose failed sign-ins are cleared when the code is right. */
  readonly name: string;
  readonly sentAt: number;
  readonly expiresAt: number;
  /** Wrong codes so far. */
  readonly tries: number;
}

/** Seconds for which a verification code is valid (docs/service.md S2.5). */
export const verificationCodeSeconds = 600;
export const mostTries = 5;
export const resendAfterSeconds = 60;

/** Limits of verification codes per e-mail address or phone number, in all accounts together. */
export const verificationCodeRates: readonly RateRule[] = [
  { name: 'code-hour', limit: 5, periodSeconds: 3_600 },
  { name: 'code-day', limit: 10, periodSeconds: 86_400 },
];

/** Limit of codes typed per account, however many codes were sent (NIST SP 800-63B-4 section 3.2.2). */
export const verificationTryRate: RateRule = { name: 'code-try', limit: 10, periodSeconds: 3_600 };

/** Failed sign-ins since the last successful one that count as a risk. A person who forgot a password has one or two. */
const riskyFailures = 3;

/**
 * Whether a sign-in needs a verification code after the right password.
 *
 * @param knownBrowser whether a right code for the account was once entered in this browser
 */
export function needsVerificationCode(
  setting: MemberVerification,
  failures: number,
  knownBrowser: boolean,
): boolean {
  if (setting === 'risk') return failures >= riskyFailures && !knownBrowser;
  return setting === 'always';
}

/** Contact data of a member, as the plan has it. */
export interface MemberContact {
  readonly email?: string | undefined;
  /** E.164, of a country that text messages can be sent to. */
  readonly phoneNumber?: string | undefined;
}

/** Services that send and verify codes. Adapters: `authorization/aws`, `authorization/store`, `platform/aws`. */
export interface VerificationServices {
  readonly setting: MemberVerification;
  contact(lob: LineOfBusiness, sub: string): Promise<MemberContact | undefined>;
  /**
   * Sends a message.
   *
   * @returns false if SES or SNS did not accept it.
   */
  send(message: OutboundMessage): Promise<boolean>;
  /** Keyed digest of a text, made by KMS. */
  mac(text: string): Promise<string>;
  /** Counters of all LOBs together. */
  readonly rates: Rates;
  /** Clears the failed sign-ins of a name, when the sign-in with a code completes. */
  forgetFailures(name: string): Promise<void>;
}

/** The text whose keyed digest is stored for a code. It names the interaction, so that the code is right for no other. */
export function verificationDigestInput(lob: LineOfBusiness, interactionId: string, code: string): string {
  return `sign-in ${lob} ${interactionId} ${code}`;
}

/** Chooses a code's destination: the requested channel, or the other one if the member has no address for it. */
export function chooseDestination(
  contact: MemberContact | undefined,
  wanted: MessageChannel,
): { readonly channel: MessageChannel; readonly to: string } | undefined {
  const ways = [
    { channel: 'email', to: contact?.email },
    { channel: 'sms', to: contact?.phoneNumber },
  ] as const;
  const open = ways.flatMap(({ channel, to }) => (to === undefined ? [] : [{ channel, to }]));
  return open.find(({ channel }) => channel === wanted) ?? open[0];
}

/** Masks a destination so that only its owner recognizes it: `r•••@example.org`, `•••-•••-0199`. */
export function maskContact({
  channel,
  to,
}: {
  readonly channel: MessageChannel;
  readonly to: string;
}): string {
  if (channel === 'sms') return `•••-•••-${to.slice(-4)}`;
  const at = to.lastIndexOf('@');
  return `${to.slice(0, 1)}•••${to.slice(at)}`;
}

/**
 * The six digits of a typed code, without spaces and hyphens.
 *
 * @returns undefined if the input is not six digits.
 */
export function parseVerificationCode(text: string | undefined): string | undefined {
  const digits = (text ?? '').replace(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}
