import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lineOfBusinessCodes, linesOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { filesOf, isOlder, takeLock } from '../../local/synthesize.ts';
import { runOps } from '../../ops/program.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import type { RunningSystem } from './running-system.ts';

const cache = join(repositoryRoot, 'node_modules', '.cache');
/** State of a system that has loaded its test members and published its directories, and was ended in order. */
const seeded = join(cache, 'seeded-state');
/** Files that a copy makes anew: templates name its port, and process files its processes. */
const ofEachSystem = [
  'assembly',
  'assembly.context.json',
  'dynamodb.pid',
  'runner.pid',
  'log',
  'printed.txt',
];
/** Time after which whoever seeds has failed: far more than it takes beside forty busy processes; a lock whose process is gone is taken at once. */
const longestSeedingMs = 3_600_000;
/** The synthetic members' dates are reckoned from the month. */
const longestKeptMs = 24 * 3_600_000;

/**
 * Copies the seeded state into the folder of a system that is about to start. Loading members and directories takes twenty seconds of CPU: they
 * are loaded once, as `npm start` loads them, by whoever comes first, and kept until a source is newer.
 */
export async function copySeededState(
  stateDirectory: string,
  start: (options: { readonly stateDirectory: string }) => Promise<RunningSystem>,
): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const lock = join(cache, 'seeded-state.lock');
  await takeLock(lock, () => {}, longestSeedingMs);
  try {
    if (isStale()) await seed(start);
    cpSync(seeded, stateDirectory, { recursive: true });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function isStale(): boolean {
  const madeAt = statSync(seeded, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = filesOf(repositoryRoot, ['bin', 'lib', 'lambdas', 'local', 'ops']);
  return (
    Date.now() - madeAt > longestKeptMs || isOlder(repositoryRoot, seeded, ['package-lock.json', ...sources])
  );
}

async function seed(
  start: (options: { readonly stateDirectory: string }) => Promise<RunningSystem>,
): Promise<void> {
  const stateDirectory = mkdtempSync(`${seeded}.`);
  try {
    const system = await start({ stateDirectory });
    await directoriesPublished(join(stateDirectory, 'system.json'));
    await system.interrupt();
    for (const name of ofEachSystem) rmSync(join(stateDirectory, name), { recursive: true, force: true });
    rmSync(seeded, { recursive: true, force: true });
    renameSync(stateDirectory, seeded);
  } finally {
    rmSync(stateDirectory, { recursive: true, force: true });
  }
}

/** Waits for the publications, which follow the loads in the background. */
async function directoriesPublished(systemFile: string): Promise<void> {
  const lobs = lineOfBusinessCodes.filter((lob) => linesOfBusiness[lob].providerDirectory);
  for (const lob of lobs) {
    const words = ['directory', 'show', '--lob', lob, '--json', '--system', systemFile];
    for (;;) {
      const lines: string[] = [];
      const terminal = { out: (line: string) => void lines.push(line), err: () => {} };
      const code = await runOps(words, {}, terminal);
      if (code === 0 && JSON.parse(lines.join('\n')).current !== undefined) break;
      await sleep(200);
    }
  }
}
