/** Stores the times at which members ended payers' permissions: one item for each patient, with one attribute for each name of a payer. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { organizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { Item, Write } from '../../platform/table/table.ts';
import { permissionEndsKey } from '../../platform/table/table-keys.ts';
import { type PermissionEnds, payerNames } from '../permission/payer-permission.ts';

const matchGrant = z.object({
  clientId: z.string(),
  organization: z._default(z.array(organizationIdentifier), []),
});

/** Parses the item; without an item no permission was ended. */
export function permissionEnds(item: Item | undefined): PermissionEnds {
  const { pk: _pk, sk: _sk, ...times } = item ?? {};
  return new Map(Object.entries(times).map(([name, time]) => [name, String(time)]));
}

/** Names of the payer that a grant's item belongs to; undefined for the grant of a member's application. */
export function payerOfGrant(item: Item): readonly string[] | undefined {
  if (item.consent === undefined) return undefined;
  const { clientId, organization } = matchGrant.parse(item);
  return payerNames(clientId, organization);
}

/**
 * The write that records the end of a payer's permission, for the transaction that ends its grant.
 *
 * @param time ISO 8601
 */
export function permissionEndWrites(
  lob: LineOfBusiness,
  patientId: string,
  payer: readonly string[] | undefined,
  time: string,
): readonly Write[] {
  if (payer === undefined) return [];
  const set = Object.fromEntries(payer.map((name) => [name, time]));
  return [{ attributes: { key: permissionEndsKey(lob, patientId), set, remove: [] } }];
}

/** The condition that the payer's permission was not ended since `ends` was read. */
export function unchangedEnds(
  lob: LineOfBusiness,
  patientId: string,
  payer: readonly string[],
  ends: PermissionEnds,
): Write {
  const known = payer.map((name) => ends.get(name));
  return {
    check: permissionEndsKey(lob, patientId),
    condition: {
      expression: known
        .map((end, at) => (end === undefined ? `attribute_not_exists(#p${at})` : `#p${at} = :p${at}`))
        .join(' AND '),
      names: Object.fromEntries(payer.map((name, at) => [`#p${at}`, name])),
      values: Object.fromEntries(
        known.flatMap((end, at) => (end === undefined ? [] : [[`:p${at}`, end] as const])),
      ),
    },
  };
}
