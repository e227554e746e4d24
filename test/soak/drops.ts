/** The data team of a soak: a night of drops of every line of business, some with faults. */

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { hasLoadEnded, type LoadState } from '../../lambdas/loads/job.ts';
import { writePopulationDrop } from '../../ops/generator/population-drop.ts';
import type { World } from './world.ts';

interface SentDrop {
  readonly lob: LineOfBusiness;
  readonly jobId: string;
  readonly isFaulty: boolean;
}

/** Sends drops of one line of business, one after the other, until the soak is over. @returns what was acknowledged. */
export async function nightOf(
  world: World,
  lob: LineOfBusiness,
  members: number,
): Promise<readonly SentDrop[]> {
  const folder = mkdtempSync(join(tmpdir(), 'member-data-soak-'));
  const sent: SentDrop[] = [];
  try {
    for (let number = 0; !world.over; number += 1) {
      // The second of each night has rows that are no JSON; the others are taken whole.
      const isFaulty = number === 1;
      const jobId = await sendDrop(world, lob, { folder, name: `night-${number}`, members, isFaulty });
      if (jobId !== undefined) sent.push({ lob, jobId, isFaulty });
      await world.pause(3_000);
    }
    return sent;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A member has some 350 rows, of which one in a hundred may be rejected: this is well beyond, in a drop of two members and of a thousand. */
const badRowsOfMember = 20;

interface Drop {
  readonly folder: string;
  readonly name: string;
  readonly members: number;
  readonly isFaulty: boolean;
}

/** Uploads a drop as often as it takes until its load has an ID, as a data team would. */
async function sendDrop(world: World, lob: LineOfBusiness, drop: Drop): Promise<string | undefined> {
  const folder = join(drop.folder, drop.name);
  writePopulationDrop({ folder, members: drop.members, lob, seed: drop.name, month: '2026-11-01' });
  rmSync(join(folder, 'manifest.json'));
  if (drop.isFaulty) {
    appendFileSync(
      join(folder, 'Coverage.ndjson'),
      '{"resourceType":"Coverage"\n'.repeat(badRowsOfMember * drop.members),
    );
  }
  for (let tries = 0; tries < 10 && !world.over; tries += 1) {
    const args = ['start', folder, '--lob', lob, '--source', 'eligibility', '--drop', drop.name];
    const output = await world.ops('load a drop', 'loads', ...args);
    const named = new RegExp(`\\b${drop.name}\\.[0-9a-f]{8}\\b`).exec(`${output?.out} ${output?.err}`)?.[0];
    if (named !== undefined) return named;
    await world.pause(2_000);
  }
  return undefined;
}

interface ShownLoad {
  readonly jobId: string;
  readonly state: LoadState;
  readonly reason?: string;
}

async function loadsOf(world: World, lob: LineOfBusiness): Promise<readonly ShownLoad[]> {
  const all: ShownLoad[] = [];
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = after === undefined ? [] : ['--after', after];
    const output = await world.ops(
      'list loads',
      'loads',
      'list',
      '--lob',
      lob,
      '--limit',
      '50',
      '--json',
      ...page,
    );
    if (output?.code !== 0) throw new Error(`the loads of ${lob} can't be listed: ${output?.err}`);
    const { loads, next } = JSON.parse(output.out) as {
      readonly loads: readonly ShownLoad[];
      readonly next?: string;
    };
    all.push(...loads);
    after = next;
  }
  return all;
}

/** Waits until no load is under way; then every acknowledged drop has a load that ended for its own reason. */
export async function settleLoads(
  world: World,
  lobs: readonly LineOfBusiness[],
  sent: readonly SentDrop[],
  patienceMs: number,
): Promise<Readonly<Record<string, number>>> {
  const deadline = Date.now() + patienceMs;
  const ended: Record<string, number> = {};
  for (const lob of lobs) {
    let loads = await loadsOf(world, lob);
    while (loads.some(({ state }) => !hasLoadEnded(state)) && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      loads = await loadsOf(world, lob);
    }
    for (const { jobId, state, reason = '' } of loads) {
      ended[state] = (ended[state] ?? 0) + 1;
      if (!hasLoadEnded(state)) world.tally.broken(`load ${jobId} of ${lob} is ${state} without end`);
      const isFaulty =
        sent.some((drop) => drop.jobId === jobId && drop.isFaulty) || jobId.startsWith('night-1.');
      const isRight = isFaulty ? state === 'failed' && reason === 'too_many_rejects' : state === 'reconciled';
      if (hasLoadEnded(state) && !isRight) world.tally.broken(`a load of ${lob} ended as ${state} ${reason}`);
    }
    for (const { jobId } of sent.filter((drop) => drop.lob === lob)) {
      if (!loads.some((load) => load.jobId === jobId))
        world.tally.broken(`drop ${jobId} of ${lob} has no load`);
    }
  }
  return ended;
}
