import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Files in a system's state directory that say it has started, or why it has not. */
export const startedFile = 'started.txt';
export const failedFile = 'failed.txt';

/**
 * A system for each worker, so that one file at a time runs against each: all sign the same few members in, and failed sign-ins of one file would
 * have another file's member asked for a code. They start beside the first tests; a file of journeys waits for its own (system-started.ts).
 */
export default function setup(project: TestProject): () => Promise<void> {
  const folders = Array.from({ length: Number(project.config.maxWorkers) }, () =>
    mkdtempSync(join(tmpdir(), 'member-data-system-')),
  );
  const starting = folders.map(async (stateDirectory): Promise<RunningSystem | undefined> => {
    try {
      const system = await startRunningSystem({ stateDirectory, context });
      writeFileSync(join(stateDirectory, startedFile), '');
      return system;
    } catch (error) {
      writeFileSync(join(stateDirectory, failedFile), String(error));
      return undefined;
    }
  });
  project.provide(
    'systemFiles',
    folders.map((folder) => join(folder, 'system.json')),
  );
  return async () => {
    const systems = await Promise.all(starting);
    await Promise.all(systems.map((system) => system?.stop()));
  };
}
