import type { TestProject } from 'vitest/node';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `system.json` of each worker's system. */
    readonly systemFiles: readonly string[];
  }
}

/** A plan so narrow that a test reaches its limit however slowly the machine sends. */
const context = {
  'sandbox.tiers.narrow': '{"requestsPerSecond":2,"burst":10,"requestsPerDay":10000}',
} as const;

/**
 * A system for each worker (`journeys` in vitest.config.ts), so that one file at a time runs against each: all sign the same few
 * members in, and failed sign-ins of one file would have another file's member asked for a code.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workers = Number(project.config.maxWorkers);
  // One after the other: the others find the first one's bundles and pages made, and none is slow for another's start.
  const running: RunningSystem[] = [];
  for (let worker = 0; worker < workers; worker += 1) running.push(await startRunningSystem({ context }));
  project.provide(
    'systemFiles',
    running.map(({ stateDirectory }) => `${stateDirectory}/system.json`),
  );
  return async () => {
    await Promise.all(running.map((system) => system.stop()));
  };
}
