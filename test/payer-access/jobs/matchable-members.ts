/** Loads synthetic members that a payer can match into the table. */

import type { Table } from '../../../lambdas/platform/table/table.ts';
import { memberIdKey } from '../../../lambdas/platform/table/table-keys.ts';
import { type SyntheticMember, syntheticMembers } from '../../../ops/generator/members.ts';
import { storeResources } from '../../support/stored-resources.ts';
import type { JobsWorld } from './jobs-world.ts';
import { personOf } from './member-bundles.ts';

/** Loads members of any line of business into DSNP. Their birth dates are complete. */
export async function loadMatchableMembers(
  { table }: JobsWorld,
  count: number,
): Promise<readonly SyntheticMember[]> {
  const members = syntheticMembers('sandbox')
    .filter((member) => !/-00/.test(personOf(member).birthDate))
    .slice(0, count);
  for (const member of members) await storeMember(table, member);
  return members;
}

/** Stores a member's record in DSNP, by the member's identifier. */
export async function storeMember(
  table: Table,
  { patientId, memberId, resources }: SyntheticMember,
): Promise<void> {
  await storeResources(table, 'DSNP', patientId, resources);
  await table.put({ ...memberIdKey('DSNP', memberId), patientId });
}
