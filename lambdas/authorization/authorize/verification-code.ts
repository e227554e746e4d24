/** Verification codes of a sign-in: when one is needed, its lifetime and tries. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { MemberVerification } from '../../catalog/oauth/member-verifications.ts';
import type { MessageChannel, OutboundMessage } from '../../platform/kernel/outbound-message.ts';
import type { RateRule, Rates } from '../../platform/kernel/rates.ts';

/** A code that was sent, as the table has it. Times are seconds since 1970. */
export interface SentVerificationCode {
  /** Keyed digest of the code and of the interaction it is for: the table holds nothing that could be typed. */
  readonly mac: string;
  readonly channel: MessageChannel;
  /** Masked, as the page shows it. */
  readonly destination: string;
  /** The name whose failures are forgotten once the code was right. */
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

/** Limits of verification codes sent to one address or number, in all accounts together. */
export const verificationCodeRates: readonly RateRule[] = [
  { name: 'code-hour', limit: 5, windowSeconds: 3_600 },
  { name: 'code-day', limit: 10, windowSeconds: 86_400 },
];

/** Tries an account has in an hour, however many codes it is sent (NIST SP 800-63B-4 section 3.2.2). */
export const verificationTryRate: RateRule = { name: 'code-try', limit: 10, windowSeconds: 3_600 };

/** Failures under a name since the last sign-in that count as a risk. A person who forgot a password has one or two. */
const riskyFailures = 3;

/** Whether the right password is enough. @param knownBrowser whether this browser once had a code right for the account */
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
  /** E.164, of a country that the environment sends texts to. */
  readonly phoneNumber?: string | undefined;
}

/** Services that send and verify codes. Adapters: `authorization/aws`, `authorization/store`, `platform/aws`. */
export interface VerificationServices {
  readonly setting: MemberVerification;
  contact(lob: LineOfBusiness, sub: string): Promise<MemberContact | undefined>;
  /** @returns false where it could not be handed over. */
  send(message: OutboundMessage): Promise<boolean>;
  /** Keyed digest of a text, by a key that never leaves its service. */
  mac(text: string): Promise<string>;
  /** Counted in all LOBs together. */
  readonly rates: Rates;
  /** Name whose failures are forgotten when the code's sign-in completes. */
  forgetFailures(name: string): Promise<void>;
}

/** Input of a code's digest: a code is right for one interaction only. */
export function verificationDigestInput(lob: LineOfBusiness, interactionId: string, code: string): string {
  return `sign-in ${lob} ${interactionId} ${code}`;
}

/** Chooses a code's destination: the requested channel if it can be used, else the other. */
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

/** Masks a destination: its owner recognizes it, others don't: `r•••@example.org`, `•••-•••-0199`. */
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

/** Six digits of what was typed, which may have spaces in it. */
export function parseVerificationCode(text: string | undefined): string | undefined {
  const digits = (text ?? '').replace(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}
