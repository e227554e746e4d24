import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { journeysContext, type RunningSystem, startRunningSystem } from '../support/running-system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of `system.json` for each worker's system. */
    readonly systemFiles: readonly string[];
  }
}

/** Files in a system's state directory that report its start or the reason of its failure. */
export const startedFile = 'started.txt';
export const failedFile = 'failed.txt';

/**
 * Starts a system for each worker, against which one file at a time runs: all files sign in the same few members, and failed sign-ins of
 * one file would make another file's member enter a code. The systems start while the first tests run; each file of journeys waits for its
 * own (system-started.ts).
 */
export default function setup(project: TestProject): () => Promise<void> {
  const folders = Array.from({ length: Number(project.config.maxWorkers) }, () =>
    mkdtempSync(join(tmpdir(), 'member-data-system-')),
  );
  const starting = folders.map(async (stateDirectory): Promise<RunningSystem | undefined> => {
    try {
      const system = await startRunningSystem({ stateDirectory, context: journeysContext });
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
