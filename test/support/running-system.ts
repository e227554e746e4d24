import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LimitsMode } from '../../local/limits/limits.ts';
import { type LocalSystem, readLocalSystem } from '../../ops/command-line/system.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { copySeededState } from './seeded-state.ts';

/** File with the output of a running system, in its state directory. */
const printedFile = 'printed.txt';

/** Context of the CDK app for journeys. All of them share one synthesized assembly. */
export const journeysContext = {
  // A usage plan with a rate so low that a test exceeds it even on a slow machine.
  'sandbox.tiers.narrow': '{"requestsPerSecond":2,"burst":10,"requestsPerDay":10000}',
  // A cheaper bot check, which hundreds of sign-ins solve.
  'portal.botCheckCost': '20',
} as const;

/** A system started as by `npm start`, on a free port and with its own state directory. */
export interface RunningSystem {
  readonly system: LocalSystem;
  readonly stateDirectory: string;
  readonly pid: number;
  /** Interrupts the system as Ctrl-C does and waits for its end. The state is kept. */
  interrupt(): Promise<void>;
  /** Kills the system with `kill -9` and waits for its end. The state is kept. */
  kill(): Promise<void>;
  /** Interrupts the system as Ctrl-C does and deletes its state. */
  stop(): Promise<void>;
}

/**
 * Longest time of a start. A start computes all the time, beside other load of the machine, and one that fails ends by itself, so waiting
 * longer would not help.
 */
const longestStartMs = 290_000;

interface StartOptions {
  /**
   * State directory that an earlier system has left, or an empty folder.
   *
   * @default a new folder
   */
  readonly stateDirectory?: string;
  readonly port?: number;
  /** Context of the CDK app, such as `{ 'sandbox.subscriptionKey': 'optional' }`. */
  readonly context?: Readonly<Record<string, string>>;
  /**
   * AWS's limits that apply.
   *
   * @default off
   */
  readonly limits?: LimitsMode;
}

/**
 * Starts a system on the given state, or, in an empty folder, on a copy of the seeded state.
 *
 * @throws Error with the system's output if it is not ready within five minutes.
 */
export async function startRunningSystem(options: StartOptions = {}): Promise<RunningSystem> {
  const { stateDirectory = mkdtempSync(join(tmpdir(), 'member-data-system-')) } = options;
  if (readdirSync(stateDirectory).length === 0) {
    await copySeededState(stateDirectory, (seeded) => start({ ...seeded, context: journeysContext }));
  }
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
      // Enough roles for several pages of results, and few enough to load in a second.
      '--directory-roles',
      '100',
      // Personas have thousands of resources that would be loaded in the background.
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
    // The start failed, and its output has the reason.
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
