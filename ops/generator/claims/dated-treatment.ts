import type { ClaimKind } from './model.ts';
import type { TreatmentName } from './treatments.ts';

/** A course of treatment in a member's life. */
export interface DatedTreatment {
  readonly treatment: TreatmentName;
  /** `YYYY-MM`. */
  readonly month: string;
  /** Day of the month. @default a random one */
  readonly day?: number;
  /** Number of the fill of a prescription, from 0. @default 0 */
  readonly refill?: number;
  /** The special case of its first claim: a duplicate, a correction, or a provider outside the network. */
  readonly exception?: 'twice' | 'corrected' | 'outside';
  /** The kind of that claim. @default the first of the treatment's */
  readonly exceptionalKind?: ClaimKind;
}
