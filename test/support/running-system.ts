import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LimitsMode } from '../../local/limits/limits.ts';
import { type LocalSystem, readLocalSystem } from '../../ops/command-line/system.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { copySeededState } from './seeded-state.ts';

/** File with the output of a running system, in its state's folder. */
const printedFile = 'printed.txt';

/** A system of its own, started as `npm start` starts it, on a free port and with a state of its own. */
export interface RunningSystem {
  readonly system: LocalSystem;
  readonly stateDirectory: string;
  readonly pid: number;
  /** Ctrl-C, and waits for the end; the state stays. */
  interrupt(): Promise<void>;
  /** `kill -9`, and waits for the end; the state stays. */
  kill(): Promise<void>;
  /** Ctrl-C, and removes the state. */
  stop(): Promise<void>;
}

/**
 * Longest start. It computes from its first moment to its last, beside whatever else the machine does, and one that fails says so and ends:
 * more time is no more luck.
 */
const longestStartMs = 290_000;

interface StartOptions {
  /** A state that a system has left, or an empty folder. @default a new folder */
  readonly stateDirectory?: string;
  readonly port?: number;
  /** Context of the CDK app: `{ 'sandbox.subscriptionKey': 'optional' }`. */
  readonly context?: Readonly<Record<string, string>>;
  /** Strictness about AWS's quotas. @default off */
  readonly limits?: LimitsMode;
}

/**
 * Starts on the state it is told, and in an empty folder on a copy of the seeded one.
 *
 * @throws Error with what it printed, where it isn’t ready within five minutes.
 */
export async function startRunningSystem(options: StartOptions = {}): Promise<RunningSystem> {
  const { stateDirectory = mkdtempSync(join(tmpdir(), 'member-data-system-')) } = options;
  if (readdirSync(stateDirectory).length === 0) await copySeededState(stateDirectory, start);
  return await start({ ...options, stateDirectory });
}

async function start({
  stateDirectory,
  ...options
}: StartOptions & { readonly stateDirectory: string }): Promise<RunningSystem> {
  const printed = join(stateDirectory, printedFile);
  const file = openSync(printed, 'w');
  const child = spawn(
    process.execPath,
    [
      join(repositoryRoot, 'local', 'start.mjs'),
      '--port',
      String(options.port ?? 0),
      '--state',
      stateDirectory,
      // Enough for pages of results, and loaded in a second.
      '--directory-roles',
      '100',
      // Thousands of resources, loaded in the background.
      '--without-personas',
      '--limits',
      options.limits ?? 'off',
      ...Object.entries(options.context ?? {}).flatMap(([name, value]) => ['--context', `${name}=${value}`]),
    ],
    { cwd: repositoryRoot, stdio: ['ignore', file, file] },
  );
  closeSync(file);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    child.kill(signal);
    await ended;
  };
  const systemFile = join(stateDirectory, 'system.json');
  const deadline = Date.now() + longestStartMs;
  const output = () => readFileSync(printed, 'utf8');
  while (!(existsSync(systemFile) && output().includes('Ready'))) {
    // Its standard error says why.
    const unseeded = output().includes('The test members could not be loaded');
    if (child.exitCode !== null || unseeded || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the system did not start:\n${output().slice(-4_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const system = readLocalSystem(systemFile);
  if (system === undefined) throw new Error(`${systemFile} is gone`);
  return {
    system,
    stateDirectory,
    pid: child.pid ?? 0,
    interrupt: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGINT');
      rmSync(stateDirectory, { recursive: true, force: true });
    },
  };
}
