import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lineOfBusinessCodes, linesOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { filesOf, isOlder, takeLock } from '../../local/synthesize.ts';
import { runOps } from '../../ops/program.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import type { RunningSystem } from './running-system.ts';

const cache = join(repositoryRoot, 'node_modules', '.cache');
/** State of a system that has loaded its test members, published its directories and was stopped in order. */
const seeded = join(cache, 'seeded-state');
/** Files that each system makes anew: templates contain its port, and process files its process IDs. */
const ofEachSystem = ['assembly', 'dynamodb.pid', 'runner.pid', 'log', 'printed.txt'];
/**
 * Time after which the process that makes the seeded state has failed, far longer than it takes beside forty busy processes. If the process
 * of a lock has ended, the lock is taken at once.
 */
const longestSeedingMs = 3_600_000;
/** Longest age of the seeded state: the dates of synthetic members depend on the month. */
const longestKeptMs = 24 * 3_600_000;

/**
 * Copies the seeded state into the state directory of a new system. Loading members and directories takes twenty seconds of CPU, so the
 * first process that needs the state loads them as `npm start` does, and the state is kept until a source file is newer.
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

/** Waits for the publications of directories, which are built in the background after the loads. */
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
