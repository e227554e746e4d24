/** Measures the CPU of a warm read of a Patient. */

import { bundleMinimal, bundleOf } from './bundles.ts';
import { atMost, type Row } from './figures.ts';
import type { Fixture } from './fixture.ts';
import { median, run } from './process.ts';
import { startCountingProxy } from './store-cost.ts';

const section = 'Warm Patient read, in the functions';

/** Highest CPU ratio to the reference function: the best ratio reached and a tenth more. */
const limits = { ours: 0.3, 'ours with its authorizer': 0.49 };

/**
 * Compares the CPU of a warm Patient read by `patient-access`, with and without the authorizer (which the gateway calls once and then
 * caches), to the reference function with the same store calls. Also counts what a read costs in the store.
 */
export async function measureRead(
  fixture: Fixture,
  effort: { readonly rounds: number; readonly calls: number },
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
      atMost({ section, what: `${name} / minimal`, value: at(name) / at('minimal'), unit: 'ratio' }, limit),
    ),
    ...(await storeCost(fixture, fixture.events.read, 'One Patient read, in the store')),
  ];
}

/** The store calls of one request by a warm process: the calls of a run of two requests less those of a run of one. */
export async function storeCost(fixture: Fixture, events: string, section: string): Promise<readonly Row[]> {
  const proxy = await startCountingProxy(fixture.endpoint);
  try {
    const environment = { ...fixture.environment, AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint };
    await run({ bundles: [bundleOf('patient-access')], events, calls: 1, warmUp: 0, environment });
    const calls = proxy.take();
    const once = calls.slice(calls.length / 2);
    return once.flatMap((call) => [
      { section, what: call.operation, value: call.items, unit: 'items' },
      {
        section,
        what: `${call.operation}, capacity`,
        value: call.units,
        unit: /Get|Query/.test(call.operation) ? 'read units' : 'write units',
      },
      { section, what: `${call.operation}, answer`, value: call.bytes, unit: 'bytes' },
    ]);
  } finally {
    proxy.stop();
  }
}
