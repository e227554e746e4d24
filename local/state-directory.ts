/** Takes the folder of the local state for one running system. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Thrown if the state folder can't be used; the message is one line. */
export class StateDirectoryError extends Error {
  override readonly name = 'StateDirectoryError';
}

const pidFile = 'runner.pid';

/**
 * Takes a state folder for this process, emptied where a fresh start is asked for. One runner at a time: a second one
 * would end the first one's engine. A folder that was never a runner's is not emptied.
 *
 * @returns gives the folder back.
 * @throws StateDirectoryError
 */
export function takeStateDirectory(directory: string, fresh: boolean): () => void {
  try {
    return take(directory, fresh);
  } catch (error) {
    if (error instanceof StateDirectoryError) throw error;
    throw new StateDirectoryError(
      `${directory} can't be used for the state (${(error as Error).message}); choose another folder with --state`,
    );
  }
}

function take(directory: string, fresh: boolean): () => void {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, pidFile);
  const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  if (owner !== undefined && owner !== process.pid && isRunner(owner)) {
    throw new StateDirectoryError(
      `${directory} is in use by process ${owner}; stop it, or choose another folder with --state`,
    );
  }
  if (fresh) {
    if (owner === undefined && readdirSync(directory).length > 0) {
      throw new StateDirectoryError(
        `${directory} has other files than the state of this system, and --fresh would delete them; choose another folder with --state`,
      );
    }
    for (const name of readdirSync(directory)) {
      // The engine's and the runner's own process files say what must still be ended.
      if (!name.endsWith('.pid')) rmSync(join(directory, name), { recursive: true, force: true });
    }
  }
  writeFileSync(file, String(process.pid));
  return () => writeFileSync(file, '0');
}

/** Whether a process is a Node that might be a runner; a number reused by another program is not. */
function isRunner(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes('node');
}
