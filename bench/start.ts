import { bundleMinimal, bundleOf } from './bundles.ts';
import type { Fixture } from './fixture.ts';
import { median, run } from './process.ts';
import { atMost, type Row } from './table.ts';

const section = 'Process start to first answer';

/**
 * CPU and wall time from the start of a process to the first answered Patient read: Node's own start, the bundle, the
 * first connection to the store. Ours and the yardstick's in turns.
 */
export async function measureStart(
  fixture: Fixture,
  effort: { readonly rounds: number },
): Promise<readonly Row[]> {
  const minimal = await bundleMinimal('patient-read');
  const contenders = {
    ours: { bundles: [bundleOf('patient-access')], events: fixture.events.read },
    'ours with its authorizer': {
      bundles: [bundleOf('authorizer'), bundleOf('patient-access')],
      events: fixture.events.authorizedRead,
    },
    minimal: { bundles: [minimal], events: fixture.events.read },
  };
  const wall = new Map<string, number[]>();
  const cpu = new Map<string, number[]>();
  for (let round = 0; round < effort.rounds; round++) {
    for (const [name, contender] of Object.entries(contenders)) {
      const cost = await run({ ...contender, calls: 1, warmUp: 0, environment: fixture.environment });
      wall.set(name, [...(wall.get(name) ?? []), cost.startToFirstAnswer.wallMs]);
      cpu.set(name, [...(cpu.get(name) ?? []), cost.startToFirstAnswer.cpuMs]);
    }
  }
  const at = (figures: Map<string, number[]>, name: string) => median(figures.get(name) ?? []);
  return [
    ...Object.keys(contenders).flatMap((name) => [
      { section, what: `${name}, wall`, value: at(wall, name), unit: 'ms' },
      { section, what: `${name}, CPU`, value: at(cpu, name), unit: 'ms CPU' },
    ]),
    ...['ours', 'ours with its authorizer'].map((name) =>
      atMost(
        {
          section,
          what: `${name} / minimal, CPU`,
          value: at(cpu, name) / at(cpu, 'minimal'),
          unit: 'ratio',
        },
        1.3,
      ),
    ),
  ];
}
