/** Looks members up by the plan's identifier. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Table } from '../../platform/table/table.ts';
import { memberIdKey } from '../../platform/table/table-keys.ts';

const storedIdentifier = z.object({
  patientId: z.string(),
  /** Member that a merge led to. */
  memberId: z.optional(z.string()),
  withdrawnAt: z.optional(z.unknown()),
  contact: z.optional(z.instanceof(Uint8Array)),
});

/** A member by an identifier of the plan. */
export interface IdentifiedMember {
  readonly patientId: string;
  /** The identifier of the member that merges led to, or the one that was looked up. */
  readonly memberId: string;
  readonly isWithdrawn: boolean;
  /** Sealed contact data. */
  readonly contact?: Uint8Array | undefined;
}

/** Merges that are followed, at most. */
const mostMerges = 5;

/** Finds the member that an identifier names, after merges. */
export async function findIdentifiedMember(
  table: Pick<Table, 'get'>,
  lob: LineOfBusiness,
  identifier: string,
): Promise<IdentifiedMember | undefined> {
  let name = identifier;
  for (let merges = 0; merges <= mostMerges; merges += 1) {
    const item = await table.get(memberIdKey(lob, name));
    if (item === undefined) return undefined;
    const { patientId, memberId: into, withdrawnAt, contact } = storedIdentifier.parse(item);
    if (into === undefined || into === name)
      return { patientId, memberId: name, isWithdrawn: withdrawnAt !== undefined, contact };
    name = into;
  }
  return undefined;
}
