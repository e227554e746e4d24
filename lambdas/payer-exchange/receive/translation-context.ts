/** The facts by which rows of another payer's export are translated. */

import { receivedId } from '../../catalog/payer/received-resources.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import type { OtherPayer } from '../payers/other-payer.ts';

export interface TranslationContext {
  readonly payer: Pick<OtherPayer, 'payerId' | 'name' | 'fhirBase' | 'identifiers'>;
  /** This plan's Patient ID by the payer's: of the members that were matched and whose permission holds. Rows of all others are rejected. */
  readonly members: ReadonlyMap<string, string>;
  /** The manifest's `transactionTime` (ISO 8601), for rows without a valid `meta.lastUpdated`. */
  readonly transactionTime: string;
  readonly sha256: Sha256;
}

/** The ID under which a resource of the payer is stored: always the same for the same payer, type and ID. */
export function translatedId(
  { payer, sha256 }: Pick<TranslationContext, 'payer' | 'sha256'>,
  type: string,
  id: string,
): string {
  return receivedId(sha256(`${payer.payerId}|${type}|${id}`));
}
