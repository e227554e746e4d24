/** Measures the CPU from the start of a process to its first answer. */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { anyEnvironment } from './any-environment.ts';
import { bundleMinimal, bundleOf, dist } from './bundles.ts';
import { atMost, type Row } from './figures.ts';
import type { Fixture } from './fixture.ts';
import { median, run } from './process.ts';

const section = 'Process start to first answer';

/** Highest CPU ratio to the reference function: the best ratio reached and a tenth more. */
const limits = { ours: 0.49, 'ours with its authorizer': 0.57 };

/**
 * Measures CPU and wall time from the start of a process to the first answered Patient read: Node's start, the bundle, the first connection
 * to the store. Alternates between `patient-access` and the reference function.
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
    ...Object.entries(limits).map(([name, limit]) =>
      atMost(
        {
          section,
          what: `${name} / minimal, CPU`,
          value: at(cpu, name) / at(cpu, 'minimal'),
          unit: 'ratio',
        },
        limit,
      ),
    ),
  ];
}

/**
 * Measures the cold start of each function and of the reference function: CPU to load the bundle and compose the handler, without Node's
 * own start.
 */
export async function measureInit(effort: { readonly rounds: number }): Promise<readonly Row[]> {
  const names = readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const paths = new Map(names.map((name) => [name, bundleOf(name)]));
  paths.set('minimal', await bundleMinimal('patient-read'));
  const cpu = new Map<string, number[]>();
  for (let round = 0; round < effort.rounds; round++) {
    for (const [name, path] of paths) cpu.set(name, [...(cpu.get(name) ?? []), loadCpuMs(path)]);
  }
  const at = (name: string) => median(cpu.get(name) ?? []);
  return [...paths.keys()].flatMap((name) => [
    { section: 'Cold init, bundle loaded and handler composed', what: name, value: at(name), unit: 'ms CPU' },
  ]);
}

function loadCpuMs(path: string): number {
  const script =
    'const before=process.cpuUsage();require(process.argv[1]);const {user,system}=process.cpuUsage(before);console.log((user+system)/1000);process.exit(0)';
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script, path], {
    env: anyEnvironment,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${path} does not load: ${stderr.slice(-1_000)}`);
  return Number(stdout.trim());
}
