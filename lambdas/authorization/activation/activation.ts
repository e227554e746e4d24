/** State and time limits of an account activation. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { RateRule } from '../../platform/kernel/rates.ts';

/** A code that was sent, as stored, and the member it was sent to. */
export interface ActivationProof {
  /** Keyed digest of the code: `activationDigestInput`. */
  readonly mac: string;
  readonly patientId: string;
  readonly memberId: string;
  /** SHA-256 of the e-mail address or phone number. It must still be on file when the password is set. */
  readonly destinationSha256: string;
}

/**
 * The activation of an account in one interaction: `asked` → `proven` → `done`. `proof` is set only if the typed details matched a member;
 * no page reveals whether they did.
 */
export interface Activation {
  readonly interactionId: string;
  readonly state: 'asked' | 'proven' | 'done';
  /** Replaced with each request for a code. */
  readonly requestId: string;
  /** Member ID as typed. */
  readonly memberId: string;
  /** Seconds since 1970. */
  readonly requestedAt: number;
  /** Time when the code expires or, once `proven`, when the password must be chosen. Seconds since 1970. */
  readonly expiresAt: number;
  /** Wrong codes so far. */
  readonly tries: number;
  readonly proof?: ActivationProof | undefined;
}

/** Seconds that a member has to choose a password after entering the code. */
export const passwordSeconds = 900;

/** Limits of requests for codes per member ID, known or unknown, in all LOBs together. */
export const activationMemberRates: readonly RateRule[] = [
  { name: 'activation-hour', limit: 5, periodSeconds: 3_600 },
  { name: 'activation-day', limit: 10, periodSeconds: 86_400 },
];

/** Limit of requests for codes per address, which a whole library or office may share. */
export const activationAddressRate: RateRule = {
  name: 'activation-address',
  limit: 30,
  periodSeconds: 3_600,
};

/** Limit of codes typed per member ID, however many codes were sent. */
export const activationTryRate: RateRule = { name: 'activation-try', limit: 10, periodSeconds: 3_600 };

/** The text whose keyed digest is stored for a code. It names the request for the code, so that the code is right for no other. */
export function activationDigestInput(
  lob: LineOfBusiness,
  { interactionId, requestId }: Pick<Activation, 'interactionId' | 'requestId'>,
  code: string,
): string {
  return `activation ${lob} ${interactionId} ${requestId} ${code}`;
}

/**
 * The two spellings under which a typed member ID is looked up: as typed, and in uppercase without spaces and hyphens. The second is the
 * user name.
 */
export function memberIdSpellings(typed: string): readonly [string, string] {
  const text = typed.trim();
  return [text, text.replace(/[\s-]/g, '').toUpperCase()];
}

interface ActivationStep {
  readonly lob: LineOfBusiness;
  readonly activation: Pick<Activation, 'interactionId' | 'requestId'>;
  readonly audit: AuditEvent;
}

/**
 * Stores activations. Each step is one conditional transaction with its audit event.
 *
 * @throws StoreUnavailable
 */
export interface ActivationStore {
  find(lob: LineOfBusiness, interactionId: string): Promise<Activation | undefined>;
  /** Begins an activation, replacing an earlier one of the interaction. */
  begin(lob: LineOfBusiness, activation: Activation): Promise<void>;
  /**
   * Begins another request for a code.
   *
   * @returns false if the last code was requested after `notBefore`.
   */
  askAgain(
    lob: LineOfBusiness,
    next: Pick<Activation, 'interactionId' | 'requestId' | 'requestedAt' | 'expiresAt'>,
    notBefore: number,
  ): Promise<boolean>;
  keepProof(step: ActivationStep & { readonly proof: ActivationProof }): Promise<boolean>;
  /**
   * Counts a wrong code.
   *
   * @returns false if a concurrent try was counted first.
   */
  wrongCode(step: ActivationStep & { readonly tries: number }): Promise<boolean>;
  /** `asked` → `proven`: the code was right. */
  rightCode(
    step: ActivationStep & {
      readonly tries: number;
      readonly mac: string;
      readonly now: number;
      readonly expiresAt: number;
    },
  ): Promise<boolean>;
  /** `proven` → `done`. Ends the account's sessions. */
  complete(step: ActivationStep & { readonly sub: string }): Promise<boolean>;
}
