/** Compares a page of search results to the reference function's Patient read, for `npm run bench`. */

import { bundleMinimal, bundleOf } from './bundles.ts';
import { atMost, type Row } from './figures.ts';
import type { Fixture } from './fixture.ts';
import { median, run } from './process.ts';
import { storeCost } from './read.ts';

const section = 'A page of ten claims out of some thirty, in the function';

/**
 * Highest CPU ratio to the reference function's read: the best ratio reached and a tenth more. Our own read is not the reference, since it
 * gets cheaper.
 */
const limits = { 'a page': 1.45, 'a page with all it names': 3.6 };

/**
 * Measures the CPU of a warm search and of the reference function's warm Patient read alternately, and counts what a page costs in the
 * store.
 */
export async function measureSearch(
  fixture: Fixture,
  effort: { readonly rounds: number; readonly calls: number },
): Promise<readonly Row[]> {
  const ours = [bundleOf('patient-access')];
  const contenders = {
    'a Patient read of the minimal peer': {
      bundles: [await bundleMinimal('patient-read')],
      events: fixture.events.read,
    },
    'a Patient read': { bundles: ours, events: fixture.events.read },
    'a page': { bundles: ours, events: fixture.events.search },
    'a page with all it names': { bundles: ours, events: fixture.events.searchWithIncludes },
  };
  const cpu = new Map<string, number[]>();
  for (let round = 0; round < effort.rounds; round++) {
    for (const [name, contender] of Object.entries(contenders)) {
      const cost = await run({
        ...contender,
        calls: effort.calls,
        warmUp: 300,
        environment: fixture.environment,
      });
      cpu.set(name, [...(cpu.get(name) ?? []), cost.cpuMsPerCall]);
    }
  }
  const at = (name: string) => median(cpu.get(name) ?? []);
  return [
    ...Object.keys(contenders).map((name) => ({ section, what: name, value: at(name), unit: 'ms CPU' })),
    ...Object.entries(limits).map(([name, limit]) =>
      atMost(
        {
          section,
          what: `${name} / minimal`,
          value: at(name) / at('a Patient read of the minimal peer'),
          unit: 'ratio',
        },
        limit,
      ),
    ),
    ...(await storeCost(fixture, fixture.events.search, 'One page of ten claims, in the store')),
  ];
}
