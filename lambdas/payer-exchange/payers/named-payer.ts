/** Finds the payer that a member means by the name of a plan. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { OtherPayer } from './other-payer.ts';

/**
 * The one active payer whose name or ID is the written one, apart from case, accents and punctuation; undefined if none or several are, for
 * an operator to decide.
 */
export function namedPayer(
  payers: readonly OtherPayer[],
  lob: LineOfBusiness,
  written: string,
): OtherPayer | undefined {
  const asked = plain(written);
  const found = payers.filter(
    ({ state, linesOfBusiness, name, payerId }) =>
      state === 'active' && linesOfBusiness.includes(lob) && [name, payerId].map(plain).includes(asked),
  );
  return found.length === 1 ? found[0] : undefined;
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
