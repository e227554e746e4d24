/** Finds members by the plan's identifier. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Table } from '../../platform/table/table.ts';
import { memberIdKey } from '../../platform/table/table-keys.ts';

const storedIdentifier = z.object({
  patientId: z.string(),
  /** Identifier of the member that this one was merged into. */
  memberId: z.optional(z.string()),
  withdrawnAt: z.optional(z.unknown()),
  contact: z.optional(z.instanceof(Uint8Array)),
});

/** A member found by the plan's identifier. */
export interface IdentifiedMember {
  readonly patientId: string;
  /** The member's identifier: after merges, of the member that remains. */
  readonly memberId: string;
  readonly isWithdrawn: boolean;
  /** Encrypted contact data. */
  readonly contact?: Uint8Array | undefined;
}

/** Maximum number of merges that are followed. */
const mostMerges = 5;

/** Finds the member of an identifier, after merges. */
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
