import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleIfStale } from '../../local/synthesize.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';
import { startOutcomeFile } from './system-file.ts';

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
 * members in, and failed sign-ins of one file would have another file's member asked for a code. They start beside the tests of other
 * projects; a worker waits for its own (started-system.ts).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // No test finds bundles half made.
  await bundleIfStale(repositoryRoot);
  const folders = Array.from({ length: Number(project.config.maxWorkers) }, () =>
    mkdtempSync(join(tmpdir(), 'member-data-journeys-')),
  );
  project.provide(
    'systemFiles',
    folders.map((folder) => join(folder, 'system.json')),
  );
  const [first = '', ...others] = folders;
  const firstStart = start(first);
  // Never all at once: they start beside tests.
  const starts = [firstStart, ...others.map(async (folder) => await firstStart.then(() => start(folder)))];
  return async () => {
    const systems = await Promise.all(starts);
    await Promise.all(systems.map(async (system) => await system?.stop()));
  };
}

/** Starts a system and says in its folder that it has, or why it did not. */
async function start(stateDirectory: string): Promise<RunningSystem | undefined> {
  try {
    const system = await startRunningSystem({ stateDirectory, context });
    writeFileSync(join(stateDirectory, startOutcomeFile), '');
    return system;
  } catch (error) {
    writeFileSync(join(stateDirectory, startOutcomeFile), String(error));
    return undefined;
  }
}
