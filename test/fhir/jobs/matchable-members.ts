/** Synthetic members that a payer can match: their records in the table, and the MemberBundle that names each. */

import { memberIdKey } from '../../../lambdas/storage/table-keys.ts';
import { type SyntheticMember, syntheticMembers } from '../../../ops/generator/members.ts';
import { storeResources } from '../../support/stored-resources.ts';
import { type JobsWorld, memberBundle } from './jobs-world.ts';

/** Loads members of whichever line of business into DSNP. Each part of their birth dates is known. */
export async function loadMatchableMembers(
  { table }: JobsWorld,
  count: number,
): Promise<readonly SyntheticMember[]> {
  const members = syntheticMembers('sandbox')
    .filter((member) => !/-00/.test(personOf(member).birthDate))
    .slice(0, count);
  for (const { patientId, memberId, resources } of members) {
    await storeResources(table, 'DSNP', patientId, resources);
    await table.put({ ...memberIdKey('DSNP', memberId), patientId });
  }
  return members;
}

/** The MemberBundle that matches a member. */
export const matchingBundle = (member: SyntheticMember) =>
  memberBundle(member.memberId, { patient: personOf(member) });

function personOf({ resources }: SyntheticMember) {
  const { json = '{}' } = resources.find(({ resourceType }) => resourceType === 'Patient') ?? {};
  const { name, gender, birthDate } = JSON.parse(json);
  return { name, gender, birthDate };
}
