import type { TestProject } from 'vitest/node';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `system.json` of each worker's system. */
    readonly systemFiles: readonly string[];
  }
}

const context = {
  // A plan so narrow that a test reaches its limit however slowly the machine sends.
  'sandbox.tiers.narrow': '{"requestsPerSecond":2,"burst":10,"requestsPerDay":10000}',
  // A bot check for each of hundreds of sign-ins: solved as everywhere, at less cost a try.
  'portal.botCheckCost': '20',
} as const;

/**
 * A system for each worker (`journeys` in vitest.config.ts), so that one file at a time runs against each: all sign the same few
 * members in, and failed sign-ins of one file would have another file's member asked for a code.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workers = Number(project.config.maxWorkers);
  // All at once: the first bundles, which the others wait for, and what follows keeps both cores of a small machine busy.
  const starting = Array.from({ length: workers }, () => startRunningSystem({ context }));
  const running: readonly RunningSystem[] = await Promise.all(starting);
  project.provide(
    'systemFiles',
    running.map(({ stateDirectory }) => `${stateDirectory}/system.json`),
  );
  return async () => {
    await Promise.all(running.map((system) => system.stop()));
  };
}
