/** Local DynamoDB: the process of the embedded engine. */

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

/** A running DynamoDB engine: dynoxide, a single binary with one SQLite file. */
export interface Engine {
  /** Endpoint of the DynamoDB JSON protocol: `http://127.0.0.1:<port>`. */
  readonly endpoint: string;
  readonly pid: number;
  /** Resolves when the engine ends, with its signal (`SIGKILL`) or exit code. */
  readonly ended: Promise<string>;
  /** Ends the process and waits for it. */
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** SQLite file; absent for a database in memory. */
  readonly file?: string;
  /** Port; absent for any free port. */
  readonly port?: number;
}

/** There is no engine binary for this machine; the message says what to do. */
export class EngineMissing extends Error {
  override readonly name = 'EngineMissing';
}

/** The engine ended before it responded; the message contains its error output. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
}

/** Path of the dynoxide binary: that of the npm package if there is one for this machine, else the one on PATH. */
export function findEngine(
  path = process.env.PATH ?? '',
  platform = `${process.platform}-${process.arch}`,
): string {
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${platform}/dynoxide`);
  } catch {
    for (const folder of path.split(delimiter)) {
      const candidate = join(folder, 'dynoxide');
      try {
        accessSync(candidate, constants.X_OK);
        return candidate;
      } catch {
        // The binary is not in this folder; the search continues with the next.
      }
    }
  }
  throw new EngineMissing(
    `no DynamoDB engine for ${platform}: put a dynoxide binary on PATH, or set AWS_ENDPOINT_URL_DYNAMODB to a running DynamoDB Local`,
  );
}

/**
 * Starts the engine and waits until it responds.
 *
 * @throws EngineMissing if there is no binary; EngineFailed if it ends before it responds, or takes more than 10 s.
 */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const port = options.port ?? (await freePort());
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port)];
  if (options.file !== undefined) args.push('--db-path', options.file);
  const [command, ...words] = dyingWithParent([findEngine(), ...args]);
  // The engine has a process group of its own: Ctrl-C in a terminal goes to a whole group, and calls in progress need the engine until they
  // end.
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'], env: {}, detached: true });
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint = (complaint + String(chunk)).slice(-2_000);
  });
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)),
  );
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await answering(endpoint, child);
  } catch (error) {
    child.kill('SIGKILL');
    throw new EngineFailed(`the DynamoDB engine did not start: ${complaint.trim() || String(error)}`);
  }
  return {
    endpoint,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), 2_000);
      await ended;
      clearTimeout(patience);
    },
  };
}

/**
 * Wraps the command so that, on Linux with util-linux (any distribution), the engine ends with the process that started it, however that
 * process ends. On other systems a killed run leaves the engine behind, and the next start ends it (`orphaned-engine.ts`).
 */
function dyingWithParent(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const setpriv = '/usr/bin/setpriv';
  return existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', ...command] : command;
}

async function answering(endpoint: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    try {
      // Any response proves that the engine is running, even the refusal of an unsigned request.
      await fetch(endpoint);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
