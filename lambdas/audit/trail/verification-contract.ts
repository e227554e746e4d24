/** Requests and responses of the function `audit-verify`: verification of seals, and search for events without a seal. */

import * as z from 'zod/mini';
import { tokenIssuers } from '../../catalog/oauth/token-issuer.ts';
import type { SealPosition } from './sealed-parts.ts';

/** Start of a page of sealed events, in a request. */
export const sealPosition = {
  /** Number of the page's first seal. */
  sequence: z.int().check(z.positive()),
  /** Index of the list in that seal, and number of the part in that list, at which the page begins. */
  list: z.optional(z.int().check(z.nonnegative())),
  part: z.optional(z.int().check(z.nonnegative())),
};

/** Request to `audit-verify`: one page of an issuer's seals. */
export const verificationRequest = z.strictObject({ issuer: z.enum(tokenIssuers), ...sealPosition });
export type VerificationRequest = z.infer<typeof verificationRequest>;

/** A discrepancy between seals and events. Findings are ordered by seal, then by event. */
export type Finding =
  | { readonly kind: 'seal_missing'; readonly sequence: number }
  /** The seal's signature does not match its contents, or is by a key that is not the environment's. */
  | { readonly kind: 'seal_changed'; readonly sequence: number }
  /** The seal does not continue the previous one, or differs from the anchored one. */
  | { readonly kind: 'seal_replaced'; readonly sequence: number }
  /** The seal's list of events is not the sealed one: changed, cut or in another order. */
  | { readonly kind: 'list_changed'; readonly sequence: number }
  | {
      readonly kind: 'event_missing' | 'event_changed' | 'event_added';
      readonly sequence: number;
      readonly pk: string;
      /** `<time>#<event id>` */
      readonly sk: string;
    }
  /** The seal was made more than an hour after its period: sealing had stopped, or seals were removed and made again. */
  | { readonly kind: 'sealed_late'; readonly sequence: number; readonly sealedAt: string }
  /** The newest seal was never anchored: anchoring has stopped, or the anchors were deleted. */
  | { readonly kind: 'not_anchored'; readonly sequence: number }
  /**
   * Nothing is sealed after this time (ISO 8601; absent if nothing is sealed at all): sealing has stopped, or the newest seals were
   * removed.
   */
  | { readonly kind: 'not_sealed'; readonly since?: string };

export interface VerificationAnswer {
  readonly seals: number;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** End of the verified period, ISO 8601. */
  readonly until?: string;
  /** Start of the next page; absent on the last one. */
  readonly next?: SealPosition;
}

/** Request to `audit-verify` for the public keys of the seals. */
export const sealKeysRequest = z.strictObject({ question: z.literal('seal-keys') });

/** The public part of a key that signs seals. */
export interface SealPublicKey {
  /** ID of the KMS key, which seals name. */
  readonly keyId: string;
  /** SubjectPublicKeyInfo as PEM (RFC 7468 section 13). */
  readonly publicKey: string;
  /** SHA-256 of the SubjectPublicKeyInfo, hex. */
  readonly fingerprint: string;
}

export interface SealKeysAnswer {
  /** Keys, oldest first. The last one signs. */
  readonly keys: readonly SealPublicKey[];
}

/** Request to `audit-verify` for events that no seal covers, found by a scan of the table instead of the index, in pages. */
export const unsealedEventsRequest = z.strictObject({
  question: z.literal('unsealed-events'),
  /** `next` of the previous page. */
  after: z.optional(z.string()),
});
export type UnsealedEventsRequest = z.infer<typeof unsealedEventsRequest>;

export interface UnsealedEvent {
  readonly pk: string;
  readonly sk: string;
}

export interface UnsealedEventsAnswer {
  /** Number of events examined. */
  readonly events: number;
  readonly unsealed: readonly UnsealedEvent[];
  readonly next?: string;
}
