/** Reserves the folder of the local state for one running system. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Thrown if the folder of the local state can't be used. The message is one line, which `npm start` prints. */
export class StateDirectoryError extends Error {
  override readonly name = 'StateDirectoryError';
}

const pidFile = 'runner.pid';

/**
 * Reserves a state folder for this process, and empties it if a fresh start is requested. Only one system may use it: a second one would
 * end the first one's engine. A folder that was never a state folder is not emptied.
 *
 * @returns a function that releases the folder.
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
      // Process ID files are kept, because they name processes that must still be ended.
      if (!name.endsWith('.pid')) rmSync(join(directory, name), { recursive: true, force: true });
    }
  }
  writeFileSync(file, String(process.pid));
  return () => writeFileSync(file, '0');
}

/** Whether a process is Node, and may be a local system; another program may have got the process ID since. */
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
