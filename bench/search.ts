/** Measures a page of search results beside a read, for `npm run bench`. */

import { bundleOf } from './bundles.ts';
import { atMost, type Row } from './figures.ts';
import type { Fixture } from './fixture.ts';
import { median, run } from './process.ts';
import { storeCost } from './read.ts';

const section = 'A page of ten claims out of some thirty, in the function';

/** CPU of a Patient read, at most: the best figure reached and a tenth. */
const limits = { 'a page': 4.8, 'a page with all it names': 11.7 };

/** CPU of a warm search beside a warm Patient read, in turns within this run, and what a page costs in the store. */
export async function measureSearch(
  fixture: Fixture,
  effort: { readonly rounds: number; readonly calls: number },
): Promise<readonly Row[]> {
  const contenders = {
    'a Patient read': fixture.events.read,
    'a page': fixture.events.search,
    'a page with all it names': fixture.events.searchWithIncludes,
  };
  const cpu = new Map<string, number[]>();
  for (let round = 0; round < effort.rounds; round++) {
    for (const [name, events] of Object.entries(contenders)) {
      const cost = await run({
        bundles: [bundleOf('patient-access')],
        events,
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
          what: `${name} / a Patient read`,
          value: at(name) / at('a Patient read'),
          unit: 'ratio',
        },
        limit,
      ),
    ),
    ...(await storeCost(fixture, fixture.events.search, 'One page of ten claims, in the store')),
  ];
}
