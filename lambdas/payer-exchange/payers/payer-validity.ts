/** Checks a payer before it is stored: its addresses, and that no other payer has its base or an identifier. */

import { payerFaults } from '../../catalog/payer/other-payers.ts';
import type { OtherPayer } from './other-payer.ts';
import type { OtherPayerRefusal } from './other-payer-operations-contract.ts';
import { type AddressRules, addressFault } from './payer-address.ts';
import { isSamePayer } from './propose-payer.ts';

/** The reason to refuse a payer; undefined if it can be stored. An active payer must be complete. */
export function payerRefusal(
  payer: OtherPayer,
  known: readonly OtherPayer[],
  rules: AddressRules,
): OtherPayerRefusal | undefined {
  const others = known.filter(({ payerId }) => payerId !== payer.payerId);
  const same = others.filter((other) => isSamePayer(payer, other)).map(({ payerId }) => payerId);
  if (same.length > 0) return { kind: 'refused', reason: 'already_known', payerIds: same };
  const addresses = (['fhirBase', 'tokenEndpoint'] as const).flatMap((field) => {
    const fault = payer[field] === '' ? undefined : addressFault(payer[field], rules);
    return fault === undefined ? [] : [{ field, expected: payerFaults[fault] }];
  });
  const missing = (['tokenEndpoint', 'clientId', 'scopes'] as const)
    .filter((field) => payer.state === 'active' && payer[field] === '')
    .map((field) => ({ field, expected: 'A value is required before the payer is active.' }));
  const faults = [...addresses, ...missing];
  return faults.length === 0 ? undefined : { kind: 'refused', reason: 'invalid', faults };
}
