/** Requests and responses of the function `audit-verify`: verification of seals, and events without one. */

import * as z from 'zod/mini';
import { tokenIssuers } from '../../catalog/oauth/token-issuer.ts';
import type { SealPosition } from './sealed-parts.ts';

/** Start of a page of sealed events. */
export const sealPosition = {
  /** Number of the first seal. */
  sequence: z.int().check(z.positive()),
  /** Within that seal: the index of the list and the part of it to go on with. */
  list: z.optional(z.int().check(z.nonnegative())),
  part: z.optional(z.int().check(z.nonnegative())),
};

/** Request to `audit-verify`: one page of an issuer's seals. */
export const verificationRequest = z.strictObject({ authority: z.enum(tokenIssuers), ...sealPosition });
export type VerificationRequest = z.infer<typeof verificationRequest>;

/** A discrepancy; listed by seal, then by event. */
export type Finding =
  | { readonly kind: 'seal_missing'; readonly sequence: number }
  /** Its MAC, number or period differs from what was sealed. */
  | { readonly kind: 'seal_changed'; readonly sequence: number }
  /** It does not follow the seal before it, or differs from the seal that was anchored. */
  | { readonly kind: 'seal_replaced'; readonly sequence: number }
  /** The list of its events is not what was sealed: changed, cut or in another order. */
  | { readonly kind: 'list_changed'; readonly sequence: number }
  | {
      readonly kind: 'event_missing' | 'event_changed' | 'event_added';
      readonly sequence: number;
      readonly pk: string;
      /** `<time>#<event id>` */
      readonly sk: string;
    }
  /** It was made over an hour after its period: sealing had stopped, or seals were removed and made again. */
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
  /** Up to where all is verified, ISO 8601. */
  readonly until?: string;
  /** Present when there is more: where the next page begins. */
  readonly next?: SealPosition;
}

/** Request to `audit-verify`: events no seal covers, whatever the index lists; one page of the table's scan. */
export const unsealedEventsRequest = z.strictObject({
  question: z.literal('unsealed-events'),
  /** `next` of the page before. */
  after: z.optional(z.string()),
});
export type UnsealedEventsRequest = z.infer<typeof unsealedEventsRequest>;

export interface UnsealedEvent {
  readonly pk: string;
  readonly sk: string;
}

export interface UnsealedEventsAnswer {
  /** Events looked at. */
  readonly events: number;
  readonly unsealed: readonly UnsealedEvent[];
  readonly next?: string;
}
