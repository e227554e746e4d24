/**
 * Carries out the work of a night through the running system's interfaces, beside members who sign in and read, and checks what must hold.
 */

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { interactiveKinds, interactiveMember } from './applications.ts';
import { sendDrop, settleLoads, writeDrop } from './drops.ts';
import { jobsAtOnceOfTwoPayers } from './payers.ts';
import { compareAudits, type SoakResult, settlingMs } from './soak.ts';
import { type KindCounts, slowed } from './tally.ts';
import { World } from './world.ts';

/**
 * A part of a night's work. It is prepared before the idle system is measured, and then begun.
 *
 * @returns counts of what was done.
 */
type Work = (members: number) => (world: World) => Promise<Readonly<Record<string, number>>>;

interface Night {
  readonly work: readonly Work[];
  /** Number of other processes on the machine that compute during the whole night. */
  readonly busyProcesses: number;
}

const dropsOfANight = 45;
const membersOfASmallDrop = 2;
const readingLob: LineOfBusiness = 'DSNP';

/** The parts of which nights are made. */
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
/** Nights by their names on the command line. */
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
  /** Seconds in which the idle system is measured before the work. */
  readonly idleSeconds: number;
  /** Greatest number of kills. If it is not 0, times are not judged. */
  readonly kills: number;
  readonly port?: number;
  readonly progress: (line: string) => void;
}

export interface NightResult extends SoakResult {
  /** Counts of the calls to the idle system; empty if the system was killed. */
  readonly idle: readonly KindCounts[];
  /** Number of kills until the work had ended. */
  readonly kills: number;
}

/** Carries out a night on a new system with AWS's limits and new tables. */
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
      // Waits for the first starts of functions, which are not part of the comparison.
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
 * Starts a session like a build in another terminal, with this many processes that each use a whole processor until it is ended. It must be
 * a session of its own: Linux divides processors among sessions first, and inside the system's session these processes would always come
 * before its background work, which has a low priority.
 *
 * @returns a function that ends it.
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

/**
 * Until the work is over, kills the system a random time after it was ready and starts it again.
 *
 * @returns the number of kills.
 */
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

/** Writes the drops, then sends all at once and waits until each load has ended in a state that its kind allows. */
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
