/** Nights: what a night brings at once, through the running system only, beside members who sign in and read; and what must hold of it. */

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { interactiveKinds, interactiveMember } from './applications.ts';
import { sendDrop, settleLoads, writeDrop } from './drops.ts';
import { jobsAtOnceOfTwoPayers } from './payers.ts';
import { compareAudits, type SoakResult, settlingMs } from './soak.ts';
import { type KindCounts, slowed } from './tally.ts';
import { World } from './world.ts';

/** Work of a night: prepared before the system is measured, then begun. @returns what it counts. */
type Work = (members: number) => (world: World) => Promise<Readonly<Record<string, number>>>;

interface Night {
  readonly work: readonly Work[];
  /** Processes of the machine that compute beside the system all the while. */
  readonly busyProcesses: number;
}

const dropsOfANight = 45;
const membersOfASmallDrop = 2;
const readingLob: LineOfBusiness = 'DSNP';

/** Parts of nights. */
const works = {
  smallDrops: () =>
    loadDrops(
      Array.from({ length: dropsOfANight }, (_, at) => ({
        lob: lineOfBusinessCodes[at % lineOfBusinessCodes.length] ?? readingLob,
        name: `${at % 9 === 8 ? 'faulty' : at % 9 === 4 ? 'early' : 'small'}-${at}`,
        members: membersOfASmallDrop,
      })),
    ),
  firstLoad: (members) => loadDrops([{ lob: 'MAPD', name: 'first', members }]),
  firstLoads: (members) => loadDrops(lineOfBusinessCodes.map((lob) => ({ lob, name: 'first', members }))),
  jobs: () => async (world) => {
    const { begun, ended } = await jobsAtOnceOfTwoPayers(world, readingLob);
    return { 'jobs begun': begun, 'jobs ended': ended };
  },
} as const satisfies Readonly<Record<string, Work>>;

const { smallDrops, firstLoad, firstLoads, jobs } = works;
/** The nights by their names on the command line. */
export const nights = {
  drops: { work: [smallDrops], busyProcesses: 9 },
  'first-load': { work: [firstLoad], busyProcesses: 0 },
  'first-loads': { work: [firstLoads], busyProcesses: 0 },
  jobs: { work: [jobs], busyProcesses: 0 },
  all: { work: [smallDrops, firstLoads, jobs], busyProcesses: 0 },
} as const satisfies Readonly<Record<string, Night>>;
export type NightName = keyof typeof nights;
export const nightNames = Object.keys(nights) as readonly NightName[];

export interface NightOptions {
  readonly night: NightName;
  readonly seed: string;
  /** Members of each drop of a first load. */
  readonly members: number;
  /** Seconds for which the idle system is measured first. */
  readonly idleSeconds: number;
  /** Most kills. With any, nothing is said of times. */
  readonly kills: number;
  readonly port?: number;
  readonly progress: (line: string) => void;
}

export interface NightResult extends SoakResult {
  /** Calls to the idle system; none where the system was killed. */
  readonly idle: readonly KindCounts[];
  /** Kills until the work had ended. */
  readonly kills: number;
}

/** Carries out a night on a system of its own, with AWS's limits and new tables. */
export async function carryOutNight(options: NightOptions): Promise<NightResult> {
  const { night, seed, members, idleSeconds, port, progress } = options;
  const { work, busyProcesses }: Night = nights[night];
  const prepared = work.map((each) => each(members));
  progress('starting the system, with limits');
  const world = await World.start(seed, port);
  const others: (() => void)[] = [];
  try {
    const people = [0, 1].map((index) => interactiveMember(world, readingLob, index));
    let idle: readonly KindCounts[] = [];
    if (options.kills === 0) {
      progress('measuring the idle system');
      // The functions' first starts are no part of what is compared.
      await sleep(10_000);
      world.tally.take();
      await sleep(idleSeconds * 1_000);
      idle = world.tally.take();
    }
    progress(`the night begins${busyProcesses === 0 ? '' : `, beside ${busyProcesses} busy processes`}`);
    if (busyProcesses > 0) others.push(busySession(busyProcesses));
    const startedAt = Date.now();
    const killing = killAtRandom(world, options.kills, progress);
    const facts = await Promise.all(prepared.map((begin) => begin(world)));
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    progress('the work has ended');
    world.finish();
    const [kills] = await Promise.all([killing, ...people]);
    await compareAudits(world);
    for (const error of world.serverErrors()) world.tally.broken(`answered: ${error}`);
    const { counts } = world.tally;
    if (options.kills === 0) {
      for (const breach of slowed(interactiveKinds, idle, counts)) world.tally.broken(breach);
    }
    return {
      counts,
      idle,
      kills,
      facts: Object.assign({ seconds }, ...facts),
      breaches: world.tally.breaches,
      defects: world.defects(),
    };
  } finally {
    for (const stop of others) stop();
    await world.stop();
  }
}

/**
 * Another session of the machine, such as a build in another terminal, whose processes want a processor each for as long as this one lives. In the system's own
 * session they would come before its background work, which yields to whatever is there; Linux divides processors among sessions first.
 *
 * @returns what ends it.
 */
function busySession(processes: number): () => void {
  const computing = 'for (const parent = process.ppid; process.ppid === parent; );';
  const beginning = `
    const { spawn } = require('node:child_process');
    const parent = process.ppid;
    for (let at = 0; at < ${processes}; at += 1) spawn(process.execPath, ['--eval', ${JSON.stringify(computing)}]);
    setInterval(() => process.ppid === parent || process.exit(), 1_000);`;
  const child = spawn(process.execPath, ['--eval', beginning], { stdio: 'ignore', detached: true });
  return () => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
}

/** Kills the system and starts it again, a random time after it was ready, until the work is over. @returns how often. */
async function killAtRandom(world: World, most: number, progress: (line: string) => void): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    for (let wait = world.random.integer(1, 20_000); wait > 0 && !world.over; wait -= 100) await sleep(100);
    if (world.over || kills === most) return kills;
    progress(`kill ${kills + 1} of ${most}`);
    await world.killAndRestart();
  }
}

interface NamedDrop {
  readonly lob: LineOfBusiness;
  readonly name: string;
  readonly members: number;
}

/** Writes drops; then sends all at once, and waits until each load has ended for its own reason. */
function loadDrops(drops: readonly NamedDrop[]): ReturnType<Work> {
  const written = drops.map(({ lob, ...drop }) => writeDrop(lob, drop));
  return async (world) => {
    const sent = await Promise.all(
      written.map(async (drop) => ({ lob: drop.lob, jobId: await sendDrop(world, drop) })),
    );
    const taken = sent.flatMap(({ lob, jobId }) => (jobId === undefined ? [] : [{ lob, jobId }]));
    if (taken.length < drops.length) {
      world.tally.broken(`${drops.length - taken.length} of ${drops.length} drops were not taken`);
    }
    const lobs = [...new Set(drops.map(({ lob }) => lob))];
    const ended = await settleLoads(world, lobs, taken, settlingMs);
    return {
      'drops sent': drops.length,
      ...Object.fromEntries(Object.entries(ended).map(([state, count]) => [`loads ${state}`, count])),
    };
  };
}
