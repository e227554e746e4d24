import * as z from 'zod/mini';
import { tokenAuthorities } from '../catalog/token-authority.ts';

/** What `audit-verify` is asked: one page of an authority's seals. */
export const verificationRequest = z.strictObject({
  authority: z.enum(tokenAuthorities),
  /** Number of the first seal to verify. */
  sequence: z.int().check(z.positive()),
});
export type VerificationRequest = z.infer<typeof verificationRequest>;

/** What doesn't fit, in the order it is found: by seal, then by event. */
export type Finding =
  | { readonly kind: 'seal_missing'; readonly sequence: number }
  /** Its content isn't what was sealed: MAC, number or span. */
  | { readonly kind: 'seal_changed'; readonly sequence: number }
  /** It follows another seal than the one that stands before it. */
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
  /** Made over an hour after its time: nobody sealed, or seals were taken out and made again. */
  | { readonly kind: 'sealed_late'; readonly sequence: number; readonly sealedAt: string }
  /** Nothing is sealed since then (ISO 8601), or nothing at all: the newest seals are missing, or nobody seals. */
  | { readonly kind: 'not_sealed'; readonly since?: string };

export interface VerificationAnswer {
  readonly seals: number;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Up to where all is verified, ISO 8601. */
  readonly until?: string;
  /** Present when there is more: the `sequence` of the next page. */
  readonly next?: number;
}
