/** Runs a Node program of the repository as a child process. */

import { spawn } from 'node:child_process';

/** A command failed; the message contains its error output. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/**
 * Runs a Node program of the project, and returns its output.
 *
 * @param environment variables added to this process's own.
 * @throws CommandFailed if its exit code is not 0.
 */
export async function runNode(
  directory: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let complaint = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + String(chunk)).slice(-4_000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new CommandFailed(`${args[0]} ended with ${code}:\n${complaint.trim() || output.trim()}`);
  return output;
}
