import type { ClaimKind } from './model.ts';
import type { TreatmentName } from './treatments.ts';

/** A course of treatment at a date in a member's life. */
export interface DatedTreatment {
  readonly treatment: TreatmentName;
  /** `YYYY-MM`. */
  readonly month: string;
  /** Day of the month. @default a random one */
  readonly day?: number;
  /**
   * Number of the fill of a prescription, from 0.
   *
   * @default 0
   */
  readonly refill?: number;
  /** Special case of its first claim: submitted twice, corrected, or by a provider outside the network. */
  readonly exception?: 'twice' | 'corrected' | 'outside';
  /**
   * The kind of the claim with the special case.
   *
   * @default the kind of the treatment's first claim
   */
  readonly exceptionalKind?: ClaimKind;
}
