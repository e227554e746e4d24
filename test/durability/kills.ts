/** Kills the running system (`kill -9`) at random calls to AWS and compares the result of the work with that of an undisturbed run. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { bundleIfStale, synthesize } from '../../local/synthesize.ts';
import type { LocalSystem } from '../../ops/command-line/system.ts';
import { pseudoRandom } from '../../ops/generator/record/pseudo-random.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { freePort } from '../support/free-port.ts';
import { ended, killed, startRunner, systemIn } from './runner-process.ts';

/** The work that is killed once in each round. */
export interface KilledWork<State extends object> {
  /** Regular expression of the functions that may be killed at any of their calls to AWS. */
  readonly functions: string;
  /** Prepares the system before the first round. */
  prepare(system: LocalSystem, assemblyDirectory: string): Promise<void>;
  /** Does the work of a round to its end, or resumes it after a restart. Rejects if the system is killed. */
  follow(system: LocalSystem, round: number): Promise<State>;
}

export interface Kills {
  readonly rounds: number;
  /** Number of calls to AWS that the load or job makes when nothing is killed. */
  readonly calls: number;
  /** A sentence for each run whose result differs from the undisturbed one's. */
  readonly differences: readonly string[];
}

const patienceMs = 120_000;

/** Does the work once undisturbed, and then with a kill in each round. */
export async function killWork<State extends object>(
  work: KilledWork<State>,
  options: { readonly rounds: number; readonly seed: number; readonly progress: (line: string) => void },
): Promise<Kills> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'member-data-kills-'));
  const assemblyDirectory = join(stateDirectory, 'all-rounds-assembly');
  const port = await freePort();
  const differences: string[] = [];
  try {
    await bundleIfStale(repositoryRoot);
    await synthesize(repositoryRoot, assemblyDirectory, port);
    const args = [repositoryRoot, stateDirectory, assemblyDirectory, String(port), work.functions];
    let runner = await startRunner(args);
    await work.prepare(systemIn(stateDirectory), assemblyDirectory);
    let calls = 0;
    runner.on('message', () => {
      calls += 1;
    });
    const undisturbed = await work.follow(systemIn(stateDirectory), 0);
    const pointsOfAll = calls;
    const random = pseudoRandom(`kills ${options.seed}`);
    for (let round = 1; round <= options.rounds; round += 1) {
      const point = random.integer(0, pointsOfAll - 1);
      runner.send({ killAfterCalls: point });
      const over = work.follow(systemIn(stateDirectory), round).then(
        () => {},
        // The work fails because of the kill; the end of the process is noticed a moment later.
        () => Promise.race([ended(runner), sleep(patienceMs, undefined, { ref: false })]),
      );
      await Promise.race([ended(runner), over]);
      const hadToBeKilled = runner.signalCode === null;
      if (hadToBeKilled) await killed(runner);
      await over;
      runner = await startRunner(args);
      const found = await work.follow(systemIn(stateDirectory), round);
      for (const [part, value] of Object.entries(found)) {
        if (isDeepStrictEqual(value, undisturbed[part as keyof State])) continue;
        const told = JSON.stringify(value)?.slice(0, 400);
        differences.push(`round ${round}, killed at call ${point}: other ${part}: ${told}`);
      }
      const how = hadToBeKilled ? 'not reached, killed after it' : 'killed';
      options.progress(
        `round ${round}: call ${point} of ${pointsOfAll} ${how}, ${differences.length} differences`,
      );
    }
    await killed(runner);
    return { rounds: options.rounds, calls: pointsOfAll, differences };
  } finally {
    rmSync(stateDirectory, { recursive: true, force: true });
  }
}

/** Main function of a program that kills work: `-- --rounds 50 --seed 1`. */
export async function killProgram<State extends object>(
  work: KilledWork<State>,
  most: number,
): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: String(most) }, seed: { type: 'string', default: '1' } },
  });
  const { rounds, calls, differences } = await killWork(work, {
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    progress: (line) => console.log(line),
  });
  console.log(`${rounds} kills at points of ${calls} calls: ${differences.length} differences`);
  for (const difference of differences) console.log(`  ${difference}`);
  process.exitCode = differences.length > 0 ? 1 : 0;
}
