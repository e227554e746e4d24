/** Names and IDs of other payers, from texts that they publish. */

import { hasHiddenCharacter } from '../../catalog/hidden-characters.ts';
import { withoutControls } from '../../platform/kernel/without-controls.ts';

/** A name to show: the published text in one line, at most 100 characters; else the host of its base. */
export function payerName(published: string | undefined, fhirBase: string): string {
  const line = withoutControls((published ?? '').replace(/\s+/g, ' ').trim()).slice(0, 100);
  return line === '' || hasHiddenCharacter(line)
    ? (URL.parse(fhirBase)?.hostname ?? fhirBase).slice(0, 100)
    : line;
}

/** An ID for a new payer, made of its name; with a number where another payer has it. */
export function newPayerId(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 28)
    .replace(/-+$/, '');
  const base = plain.length < 2 ? `payer-${plain}`.replace(/-$/, '') : plain;
  let payerId = base;
  for (let number = 2; taken.includes(payerId); number += 1) payerId = `${base}-${number}`;
  return payerId;
}
