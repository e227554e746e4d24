import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Records the process ID of the engine that uses the database file, so that a later run can find an orphaned engine. */
export function recordEngine(pidFile: string, pid: number): void {
  writeFileSync(pidFile, `${pid}\n`);
}

/**
 * Ends the engine that a killed run left on `databaseFile`, and waits until it is gone. A process is ended only if its command line
 * contains that file, because the process ID may belong to another program by now.
 */
export async function stopOrphanedEngine(pidFile: string, databaseFile: string): Promise<void> {
  const pid = recordedPid(pidFile);
  if (pid === undefined) return;
  for (let attempt = 0; serves(pid, databaseFile); attempt += 1) {
    if (attempt === 100) throw new Error(`process ${pid} holds ${databaseFile} and can't be ended`);
    end(pid, attempt < 50 ? 'SIGTERM' : 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  rmSync(pidFile, { force: true });
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function recordedPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process is running on the file; the command line of a zombie is empty. */
function serves(pid: number, databaseFile: string): boolean {
  try {
    const [, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.includes(databaseFile);
  } catch {
    return false;
  }
}
