/** Makes proposals of what was found: a new payer, or other values of a known one. An operator decides about both. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { OtherPayerSource } from '../../catalog/payer/other-payers.ts';
import type { FoundPayer, OtherPayer } from './other-payer.ts';
import { newPayerId } from './payer-name.ts';

export type Proposal =
  | { readonly kind: 'new' | 'known'; readonly payer: OtherPayer }
  /** Its base and its identifiers belong to different known payers. */
  | { readonly kind: 'ambiguous'; readonly payerIds: readonly string[] };

/**
 * Proposes a payer that was found. A known payer, by its base or an identifier, keeps its values, and gets the found ones beside them; a
 * proposal that has no token endpoint yet gets the found one.
 */
export function proposePayer(
  known: readonly OtherPayer[],
  found: FoundPayer,
  {
    source,
    at,
    linesOfBusiness,
  }: {
    readonly source: Exclude<OtherPayerSource, 'operator'>;
    /** ISO 8601 */
    readonly at: string;
    readonly linesOfBusiness: readonly LineOfBusiness[];
  },
): Proposal {
  const same = known.filter((payer) => isSamePayer(payer, found));
  const [payer, ...others] = same;
  if (others.length > 0) return { kind: 'ambiguous', payerIds: same.map(({ payerId }) => payerId) };
  if (payer !== undefined) {
    const isWithoutToken = payer.state === 'proposed' && payer.tokenEndpoint === '';
    return {
      kind: 'known',
      payer: {
        ...payer,
        ...(isWithoutToken && {
          tokenEndpoint: found.tokenEndpoint ?? '',
          version: found.version ?? payer.version,
        }),
        found: { ...found, at },
        revision: payer.revision + 1,
        changedAt: at,
      },
    };
  }
  const payerId = newPayerId(
    found.name,
    known.map((each) => each.payerId),
  );
  return {
    kind: 'new',
    payer: {
      payerId,
      name: found.name,
      state: 'proposed',
      identifiers: found.identifiers,
      fhirBase: found.fhirBase,
      tokenEndpoint: found.tokenEndpoint ?? '',
      clientId: '',
      scopes: '',
      version: found.version ?? '2.1',
      linesOfBusiness,
      ...(found.contact !== undefined && { contact: found.contact }),
      source,
      found: { ...found, at },
      checks: [],
      revision: 1,
      changedAt: at,
    },
  };
}

/** Whether two payers have the same base or an identifier in common. */
export function isSamePayer(
  one: Pick<OtherPayer, 'fhirBase' | 'identifiers'>,
  other: Pick<OtherPayer, 'fhirBase' | 'identifiers'>,
): boolean {
  return (
    one.fhirBase === other.fhirBase ||
    one.identifiers.some(({ system, value }) =>
      other.identifiers.some((each) => each.system === system && each.value === value),
    )
  );
}
