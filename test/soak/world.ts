/** The running system of a soak: kills and restarts it, and makes the calls of its users. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pageText } from '../../lambdas/authorization/pages/words/words.ts';
import { type PseudoRandom, pseudoRandom } from '../../ops/generator/record/pseudo-random.ts';
import { runOps } from '../../ops/program.ts';
import { runAgainst } from '../journeys/system-file.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';
import { defects, serverErrors, Tally } from './tally.ts';

/** Disclosures of one member's data to one application, counted by the answers. */
export interface Disclosed {
  readonly lob: string;
  readonly patientId: string;
  readonly clientId: string;
  answered: number;
  /** Calls that may have disclosed data: the system was killed before the answer came. */
  unanswered: number;
}

export interface Output {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const { messages, signIn } = pageText.en;
/** Texts of pages and problems with status 503. */
const unavailableTexts = [
  messages.unavailable.title,
  messages.code_unsendable.title,
  signIn.errors.unavailable(''),
  '"status":503',
];

/**
 * Whether an error has the text of a 503: the status of a step among several is not known here. Other server errors are found in the
 * request log.
 */
function isToldToWait(error: unknown): boolean {
  return error instanceof Error && unavailableTexts.some((text) => error.message.includes(text));
}

/** The answer to a call; undefined if there is none, or if it says to come back later. */
export type Called = Response | undefined;

export class World {
  readonly tally = new Tally();
  readonly random: PseudoRandom;
  readonly disclosed = new Map<string, Disclosed>();
  readonly stateDirectory: string;
  private system: RunningSystem;
  private isUp = true;
  private upSince = Date.now();
  private isOver = false;
  private readonly logs: string[] = [];

  private readonly ownPort: number;

  private constructor(system: RunningSystem, ownPort: number, seed: string) {
    this.system = system;
    this.ownPort = ownPort;
    this.stateDirectory = system.stateDirectory;
    this.random = pseudoRandom(`soak ${seed}`);
    runAgainst(this.stateDirectory);
  }

  static async start(seed: string, port?: number): Promise<World> {
    const own = port ?? (await freePort());
    return new World(await startRunningSystem({ port: own, limits: 'local' }), own, seed);
  }

  get over(): boolean {
    return this.isOver;
  }

  /** Time of the last start of the system. */
  get runningSince(): number {
    return this.upSince;
  }

  get systemFile(): string {
    return join(this.stateDirectory, 'system.json');
  }

  /** Tells all users to stop after their present act. */
  finish(): void {
    this.isOver = true;
  }

  /** Kills the system with `kill -9` and starts it on the same state. */
  async killAndRestart(): Promise<void> {
    this.isUp = false;
    await this.system.kill();
    this.keepLog();
    const { stateDirectory } = this;
    this.system = await startRunningSystem({ stateDirectory, port: this.ownPort, limits: 'local' });
    this.upSince = Date.now();
    this.isUp = true;
  }

  async stop(): Promise<void> {
    this.keepLog();
    await this.system.stop();
  }

  private keepLog(): void {
    this.logs.push(readFileSync(join(this.stateDirectory, 'printed.txt'), 'utf8'));
  }

  /** Server errors except 503 since the first start of the system. */
  serverErrors(): readonly string[] {
    const now = readFileSync(join(this.stateDirectory, 'printed.txt'), 'utf8');
    return serverErrors([...this.logs, now].join('\n'));
  }

  /** Defects that functions have logged since the first start of the system. */
  defects(): readonly string[] {
    const folder = join(this.stateDirectory, 'log');
    return defects(
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('\n'),
    );
  }

  private wasDownSince(time: number): boolean {
    return !this.isUp || this.upSince >= time;
  }

  /** Waits until the system is running. */
  async up(): Promise<void> {
    while (!this.isUp) await sleep(250);
  }

  /** Waits a random time, at most `mostMs`, between two acts. */
  async pause(mostMs: number): Promise<void> {
    if (!this.isOver) await sleep(this.random.integer(Math.ceil(mostMs / 2), mostMs));
    await this.up();
  }

  /**
   * Runs and times an act of several steps. If it fails while the system is running, a promise is broken.
   *
   * @returns undefined if it failed.
   */
  async act<Result>(kind: string, work: () => Promise<Result>): Promise<Result | undefined> {
    await this.up();
    const begun = Date.now();
    const startedAt = performance.now();
    try {
      const result = await work();
      this.tally.answered(kind, performance.now() - startedAt);
      return result;
    } catch (error) {
      if (this.wasDownSince(begun)) this.tally.unanswered(kind);
      else if (isToldToWait(error)) this.tally.later(kind);
      else
        this.tally.broken(`${kind}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300));
      return undefined;
    }
  }

  /**
   * Makes an HTTP call. After 429 and 503, which must have `Retry-After`, it waits and repeats; another unexpected status is a broken
   * promise.
   */
  async call(
    kind: string,
    send: () => Promise<Response>,
    expected: readonly number[] = [200],
  ): Promise<Called> {
    for (let again = 0; again < 20; again += 1) {
      const answer = await this.act(kind, send);
      if (answer === undefined) return undefined;
      const { status } = answer;
      if (expected.includes(status)) return answer;
      const text = (await answer.text().catch(() => '')).slice(0, 200);
      if (status !== 429 && status !== 503) {
        this.tally.broken(`${kind} was answered ${status}: ${text}`);
        return undefined;
      }
      const wait = Number(answer.headers.get('retry-after'));
      if (!(wait > 0)) {
        this.tally.broken(`${kind} was answered ${status} without Retry-After`);
        return undefined;
      }
      this.tally.later(kind);
      await sleep(Math.min(wait, 30) * 1_000);
    }
    this.tally.broken(`${kind} was told twenty times to come back later`);
    return undefined;
  }

  /** Runs `npm run ops -- …`. Exit code 3 while the system is running is a broken promise. */
  async ops(kind: string, ...args: readonly string[]): Promise<Output | undefined> {
    return await this.act(kind, async () => {
      const output = await this.command(...args);
      if (output.code === 3) throw new Error(`exit code 3: ${output.err}`);
      return output;
    });
  }

  /** Runs `npm run ops -- …`, whatever its exit code. */
  async command(...args: readonly string[]): Promise<Output> {
    const [out, err]: [string[], string[]] = [[], []];
    const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
    const code = await runOps([...args, '--system', this.systemFile], { USER: 'soak' }, terminal);
    return { code, out: out.join('\n'), err: err.join('\n') };
  }

  /** Counts a disclosure that was answered, or that may have been made without an answer. */
  disclosure(of: Pick<Disclosed, 'lob' | 'patientId' | 'clientId'>, isAnswered: boolean): void {
    const key = `${of.lob} ${of.patientId} ${of.clientId}`;
    const count = this.disclosed.get(key) ?? { ...of, answered: 0, unanswered: 0 };
    if (isAnswered) count.answered += 1;
    else count.unanswered += 1;
    this.disclosed.set(key, count);
  }
}
