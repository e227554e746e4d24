import { expect, it } from 'vitest';
import { loadTypes } from '../../../lambdas/loads/ledger/load-types.ts';
import { populationMembers } from '../../../ops/generator/population.ts';

const waveOf = (type: string) => loadTypes[type]?.wave ?? Number.NaN;

/** References inside a wave or to a later wave that are required in a record. Their rows wait for a second look. */
const waiting = ['Condition > Observation', 'Encounter > Condition', 'Observation > Observation'];

it('a type is loaded after those that its rows refer to, but for a few that refer to each other', () => {
  const found = new Set<string>();
  for (const { resources } of populationMembers({ lob: 'DSNP', seed: 'waves', month: '2026-11-01' }, 12)) {
    for (const { resourceType, json } of resources) {
      for (const [, target = ''] of json.matchAll(/"reference":"([A-Za-z]+)\//g)) {
        if (waveOf(target) >= waveOf(resourceType)) found.add(`${resourceType} > ${target}`);
      }
    }
  }
  expect([...found].sort()).toEqual(waiting);
});
