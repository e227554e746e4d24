import { beforeAll, describe, expect, it } from 'vitest';
import { environments } from '../../../lambdas/catalog/environments.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import type { MemberLoad } from '../../../lambdas/loads/ingest/ingest-contract.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';
import { payerCohort } from '../../../ops/generator/payer-cohort.ts';
import { sandboxPersonas } from '../../../ops/generator/personas.ts';
import { populationMember } from '../../../ops/generator/population.ts';
import type { Resource } from './claims/everybody.ts';
import { type RecordOfMember, rules } from './plausibility.ts';

/** First day of the month after the last one with records. */
const loadedOn = '2026-11-01';

function recordOf({ resources }: Pick<MemberLoad, 'resources'>): RecordOfMember {
  return {
    loadedOn,
    resources: resources.map(({ json, fhirJson }) => JSON.parse(fhirJson ?? json) as Resource),
  };
}

/**
 * Records of everyone whom the generator makes: test members, personas, the payers' cohort, and a part of each line of business's
 * population.
 */
const records = new Map<string, RecordOfMember>();
beforeAll(() => {
  const keep = (name: string, member: Pick<MemberLoad, 'resources'>) => records.set(name, recordOf(member));
  for (const environment of environments) {
    for (const member of syntheticMembers(environment, loadedOn))
      keep(`${environment} ${member.memberId}`, member);
  }
  for (const { member } of sandboxPersonas(loadedOn)) keep(`persona ${member.memberId}`, member);
  for (const member of payerCohort(loadedOn)) keep(`cohort ${member.memberId}`, member);
  for (const lob of lineOfBusinessCodes) {
    for (const number of [1, 2, 3, 4, 5, 20, 40]) {
      keep(`${lob} ${number}`, populationMember({ lob, seed: 'plausible', month: loadedOn }, number));
    }
  }
});

describe.each(rules)('of every synthetic member: $name', ({ faults, plant }) => {
  it('is true', () => {
    const found = [...records].flatMap(([who, record]) => faults(record).map((fault) => `${who}: ${fault}`));
    expect(found).toEqual([]);
  });

  it('is told where it is not', () => {
    const ill = [...records].find(([who]) => who.startsWith('persona MHBE'))?.[1];
    if (ill === undefined) throw new Error('no persona');
    expect(faults(plant(ill))).not.toEqual([]);
  });
});
