/** The services that the routes of accounts and teams use. The adapters are in `portal/adapters`. */

import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { LockoutVerdict, RateRule, RateVerdict } from '../../platform/kernel/rates.ts';
import type { MailEntry } from '../api/outbox.ts';
import type { BotCheckView } from '../api/views.ts';
import type { AccountStore } from './account-store-port.ts';
import type { CodeStore } from './code-store-port.ts';
import type { Directory } from './developer-directory-port.ts';
import type { SessionStore } from './session-store-port.ts';
import type { TeamStore } from './team-store-port.ts';

/** The interfaces of the stores and services that the portal's accounts need. Their implementations are in `lambdas/portal/adapters`. */

export interface Limits {
  /**
   * Counts an attempt.
   *
   * @param subject the account, address or name that is limited; stored as a digest only.
   * @throws StoreUnavailable
   */
  attempt(rule: RateRule, subject: string): Promise<RateVerdict>;
  /**
   * Counts a sign-in as failed before the password is checked; `signInSucceeded` clears the count. `failures`: the number of failures
   * before this sign-in.
   */
  signInBegins(subject: string): Promise<LockoutVerdict>;
  signInSucceeded(subject: string): Promise<void>;
}

export interface BotCheck {
  offer(): Promise<BotCheckView>;
  check(answer: string, ip: string): Promise<BotCheckResult>;
}

/**
 * The result of a bot check. `failed`: the answer is wrong, expired or was used before. `use` marks the answer as used; it succeeds once.
 */
export type BotCheckResult =
  | { readonly kind: 'passed'; readonly use: () => Promise<boolean> }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unavailable' };

/** Sends messages at once, apart from any transaction. Each returns false where the mail or text service did not accept the message. */
export interface Messages {
  mail(mail: MailEntry): Promise<boolean>;
  text(to: string, text: string): Promise<boolean>;
}

export interface DeveloperServices {
  /** Origin of the portal's pages, e.g. `https://developer.example.org`. */
  readonly origin: string;
  readonly signInVerification: 'never' | 'always' | 'risk';
  readonly accounts: AccountStore;
  readonly teams: TeamStore;
  readonly codes: CodeStore;
  readonly sessions: SessionStore;
  readonly directory: Directory;
  readonly botCheck: BotCheck;
  readonly limits: Limits;
  readonly messages: Messages;
  /** Computes a keyed digest of a text. The key never leaves KMS. */
  readonly mac: (text: string) => Promise<string>;
  readonly sha256Hex: (text: string) => string;
  /** Compares two digests in constant time. */
  readonly equal: (one: string, other: string) => boolean;
  /** One-time passwords of an authenticator app (RFC 6238), from key material in base64url. */
  readonly totp: {
    key(keyMaterial: string): string;
    code(keyMaterial: string, step: number): string;
  };
  /** Classifies a number in E.164: `refused` unless it is a number of the United States; a toll-free number receives no text messages. */
  readonly phoneKind: (e164: string) => 'personal' | 'toll_free' | 'refused';
  readonly random: Random;
  readonly now: Clock;
}
