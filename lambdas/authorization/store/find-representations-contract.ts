/** Finds representations by the plan's identifier of the representative. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Table } from '../../platform/table/table.ts';
import { memberIdKey, representativePartition } from '../../platform/table/table-keys.ts';
import { type StoredRepresentation, storedRepresentation } from './stored-representation-contract.ts';

const loadedMember = z.object({ patientId: z.string(), withdrawnAt: z.optional(z.string()) });

/**
 * Finds a person's representations that are active and in their period, for members who are not withdrawn.
 *
 * @param now seconds since 1970
 */
export async function findRepresentations(
  table: Table,
  lob: LineOfBusiness,
  representativeId: string,
  now: number,
): Promise<readonly StoredRepresentation[]> {
  const items = await queryAll(table, representativePartition(lob, representativeId), 'PATIENT#');
  const current = items
    .map((item) => storedRepresentation.parse(item))
    .filter(
      ({ state, from = 0, until = Number.POSITIVE_INFINITY }) =>
        state === 'active' && from <= now && now <= until,
    );
  if (current.length === 0) return [];
  const members = await table.batchGet(current.map(({ memberId }) => memberIdKey(lob, memberId)));
  return current.filter(({ patientId }, at) => {
    const member = loadedMember.safeParse(members[at]).data;
    return member === undefined || (member.patientId === patientId && member.withdrawnAt === undefined);
  });
}
