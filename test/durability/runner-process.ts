import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type LocalSystem, readLocalSystem } from '../../ops/command-line/system.ts';

/**
 * Starts the runner (`runner.ts`) in a process of its own, which can be killed.
 *
 * @throws Error with the process's output if it ends before it is ready.
 */
export async function startRunner(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'runner.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const heard = (chunk: unknown) => {
      output += String(chunk);
      if (output.includes('ready')) resolve();
    };
    child.stdout?.on('data', heard);
    child.stderr?.on('data', heard);
    child.once('exit', (code) => reject(new Error(`the runner ended with ${code}: ${output.slice(-2_000)}`)));
  });
  return child;
}

/** Kills a process with `kill -9` and waits for its end. */
export async function killed(child: ChildProcess): Promise<void> {
  const end = ended(child);
  child.kill('SIGKILL');
  await end;
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((resolve) => child.once('exit', resolve));
}

export function systemIn(stateDirectory: string): LocalSystem {
  const system = readLocalSystem(join(stateDirectory, 'system.json'));
  if (system === undefined) throw new Error('the runner is ready and has written no system.json');
  return system;
}
