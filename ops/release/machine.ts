/** Deploys the working tree to the running local system (`/release` of its own address), and tells how it goes. */

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { UsageError } from '../command-line/command-line.ts';
import { InvocationFailed } from '../command-line/invoke.ts';
import { readLocalSystem } from '../command-line/system.ts';
import type { Terminal } from '../command-line/terminal.ts';

const releaseState = z.object({
  outcome: z.enum(['released', 'rolled back', 'under way', 'refused', 'none']),
  lines: z.array(z.string()),
});

export interface MachineDeps {
  readonly terminal: Terminal;
  /** The file in which the local system describes itself. */
  readonly file: string;
  /** Milliseconds between two questions. @default one second */
  readonly everyMs?: number;
}

/**
 * Begins a release of the local system and waits for its end.
 *
 * @param first line of business that is deployed before the others.
 * @returns 0 if it was released, 1 if it was refused or rolled back.
 * @throws UsageError if no local system runs, or a release is under way; InvocationFailed if the system ends meanwhile.
 */
export async function deployToMachine(first: string, deps: MachineDeps): Promise<0 | 1> {
  const { terminal, file, everyMs = 1_000 } = deps;
  const system = readLocalSystem(file);
  if (system === undefined)
    throw new UsageError(`${file} is missing. Start the local system first: npm start`);
  const address = `http://127.0.0.1:${system.port}/release`;
  const begun = await answer(fetch(`${address}?first=${first}`, { method: 'POST' }), address);
  if (begun.status === 409)
    throw new UsageError('a release of the local system is under way; wait for its end');
  for (let printed = 0; ; await sleep(everyMs)) {
    const { outcome, lines } = (await answer(fetch(address), address)).state;
    for (const line of lines.slice(printed)) terminal.out(line);
    printed = lines.length;
    if (outcome !== 'under way') return outcome === 'released' ? 0 : 1;
  }
}

async function answer(asked: Promise<Response>, address: string) {
  try {
    const response = await asked;
    return { status: response.status, state: releaseState.parse(await response.json()) };
  } catch (error) {
    throw new InvocationFailed(`the local system gave no answer at ${address}: ${(error as Error).message}`);
  }
}
