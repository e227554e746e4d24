/** State and time limits of an account activation. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { RateRule } from '../../platform/kernel/rates.ts';

/** A code that was sent, as the table has it, and the member it was sent to. */
export interface ActivationProof {
  /** Keyed digest of the code: `activationDigestInput`. */
  readonly mac: string;
  readonly patientId: string;
  readonly memberId: string;
  /** SHA-256 of the address or number, which must be on file still when the password is set. */
  readonly destinationSha256: string;
}

/**
 * The activation of an account in one interaction: `asked` → `proven` → `done`. `proof` is set only where what was typed
 * matched a member; no page tells whether it is.
 */
export interface Activation {
  readonly interactionId: string;
  readonly state: 'asked' | 'proven' | 'done';
  /** New with each request for a code. */
  readonly requestId: string;
  /** Identifier as typed. */
  readonly memberId: string;
  /** Seconds since 1970. */
  readonly requestedAt: number;
  /** End of the code, or of the time to choose a password. Seconds since 1970. */
  readonly expiresAt: number;
  /** Wrong codes so far. */
  readonly tries: number;
  readonly proof?: ActivationProof | undefined;
}

/** Time a member has to choose a password after the code. */
export const passwordSeconds = 900;

/** Requests for codes in the name of one member identifier, known or not, in all LOBs together. */
export const activationMemberRates: readonly RateRule[] = [
  { name: 'activation-hour', limit: 5, windowSeconds: 3_600 },
  { name: 'activation-day', limit: 10, windowSeconds: 86_400 },
];

/** Requests for codes from one address: a library or an office shares one. */
export const activationAddressRate: RateRule = {
  name: 'activation-address',
  limit: 30,
  windowSeconds: 3_600,
};

/** Codes typed in the name of one member identifier, however many it was sent. */
export const activationTryRate: RateRule = { name: 'activation-try', limit: 10, windowSeconds: 3_600 };

/** A code is right for one request of one interaction. */
export function activationDigestInput(
  lob: LineOfBusiness,
  { interactionId, requestId }: Pick<Activation, 'interactionId' | 'requestId'>,
  code: string,
): string {
  return `activation ${lob} ${interactionId} ${requestId} ${code}`;
}

/** Spellings of a member identifier in the plan's data: as typed, and as identifiers are usually written. The second is the user name. */
export function memberIdSpellings(typed: string): readonly [string, string] {
  const text = typed.trim();
  return [text, text.replace(/[\s-]/g, '').toUpperCase()];
}

interface ActivationStep {
  readonly lob: LineOfBusiness;
  readonly activation: Pick<Activation, 'interactionId' | 'requestId'>;
  readonly audit: AuditEvent;
}

/** Activations. Each step is one conditional transaction with its event. @throws StoreUnavailable */
export interface ActivationStore {
  find(lob: LineOfBusiness, interactionId: string): Promise<Activation | undefined>;
  /** Begins an activation, and replaces an earlier one of the interaction. */
  begin(lob: LineOfBusiness, activation: Activation): Promise<void>;
  /** A new code, if the last was requested at `notBefore` or earlier. */
  askAgain(
    lob: LineOfBusiness,
    next: Pick<Activation, 'interactionId' | 'requestId' | 'requestedAt' | 'expiresAt'>,
    notBefore: number,
  ): Promise<boolean>;
  keepProof(step: ActivationStep & { readonly proof: ActivationProof }): Promise<boolean>;
  /** Counts a wrong code; of concurrent tries one counts. */
  wrongCode(step: ActivationStep & { readonly tries: number }): Promise<boolean>;
  /** `asked` → `proven`. */
  rightCode(
    step: ActivationStep & {
      readonly tries: number;
      readonly mac: string;
      readonly now: number;
      readonly expiresAt: number;
    },
  ): Promise<boolean>;
  /** `proven` → `done`; the account's sessions end. */
  complete(step: ActivationStep & { readonly sub: string }): Promise<boolean>;
}
