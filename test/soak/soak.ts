/** Runs a soak: all users in the running system at once, with kills, and the checks of what must hold afterwards. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { readingApplication, stoppedApplication } from './applications.ts';
import { nightOf, settleLoads } from './drops.ts';
import { crawler, developers, operator } from './others.ts';
import { payer } from './payers.ts';
import type { KindCounts } from './tally.ts';
import { World } from './world.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly kills: number;
  readonly seed: string;
  /** Members of each drop. */
  readonly members: number;
  readonly port?: number;
  readonly progress: (line: string) => void;
}

export interface SoakResult {
  readonly counts: readonly KindCounts[];
  /** Other counts than of calls, such as loads by their state. */
  readonly facts: Readonly<Record<string, number>>;
  readonly breaches: readonly string[];
  /** Defects that functions logged, which may explain a broken promise. */
  readonly defects: readonly string[];
}

/** Time after the last act in which everything that was begun must end. */
export const settlingMs = 240_000;
/** Interval of the schedule that seals the audit (lib/audit/audit-seals.ts), counted from the start of the system. */
const sealedEveryMs = 300_000;
/** Line of the progress after which a soak calls nothing until the audit is sealed. `.ci/run` begins the next tests then. */
const awaitsSeals = 'all calls are made; the schedule has yet to seal the audit';
const payersLob: LineOfBusiness = 'DSNP';
const stoppingLob: LineOfBusiness = 'MAPD';

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { minutes, kills, seed, members, progress } = options;
  progress('starting the system, with limits');
  const world = await World.start(seed, options.port);
  try {
    progress('everyone begins');
    const [nights, jobs, signedUp, pages] = await Promise.all([
      Promise.all(lineOfBusinessCodes.map((lob) => nightOf(world, lob, members))),
      Promise.all([payer(world, payersLob), payer(world, 'EGWP')]),
      developers(world),
      crawler(world, payersLob),
      ...lineOfBusinessCodes.map((lob) => readingApplication(world, lob, 0)),
      stoppedApplication(world, stoppingLob, 1),
      operator(world, payersLob),
      killNowAndThen(world, minutes * 60_000, kills, progress),
    ]);
    progress('the time is over, and what was begun has been answered');
    const sent = nights.flat();
    const ended = await settleLoads(world, lineOfBusinessCodes, sent, settlingMs);
    await compareAudits(world);
    progress(awaitsSeals);
    await verifySeals(world);
    for (const error of world.serverErrors()) world.tally.broken(`answered: ${error}`);
    const begun = jobs.reduce((total, each) => total + each.begun, 0);
    return {
      counts: world.tally.counts,
      facts: {
        'drops acknowledged': sent.length,
        ...Object.fromEntries(Object.entries(ended).map(([state, count]) => [`loads ${state}`, count])),
        'jobs begun': begun,
        'jobs ended': jobs.reduce((total, each) => total + each.ended, 0),
        'developers signed up': signedUp,
        'pages of the directory': pages,
        kills,
      },
      breaches: world.tally.breaches,
      defects: world.defects(),
    };
  } finally {
    await world.stop();
  }
}

async function killNowAndThen(
  world: World,
  durationMs: number,
  kills: number,
  progress: (line: string) => void,
): Promise<void> {
  const end = Date.now() + durationMs;
  for (let kill = 0; kill < kills; kill += 1) {
    const part = (end - Date.now()) / (kills - kill + 1);
    await sleep(part * (0.75 + world.random.integer(0, 500) / 1_000));
    progress(`kill ${kill + 1} of ${kills}`);
    await world.killAndRestart();
    progress('the system runs again');
  }
  await sleep(Math.max(0, end - Date.now()));
  world.finish();
}

interface RecordedEvent {
  readonly outcome: string;
  readonly clientId?: string;
  readonly eventId: string;
  readonly corrects?: string;
}

/**
 * Compares the disclosures recorded for a member and an application to the answers with data: there must be at least as many, and no more
 * than those answers and the unanswered calls together.
 */
export async function compareAudits(world: World): Promise<void> {
  for (const { lob, patientId, clientId, answered, unanswered } of world.disclosed.values()) {
    const output = await world.ops(
      'audit reads',
      'audit',
      'reads',
      '--lob',
      lob,
      '--patient',
      patientId,
      '--purpose',
      'review',
      '--json',
    );
    if (output === undefined) continue;
    const events = JSON.parse(output.out) as readonly RecordedEvent[];
    const takenBack = new Set(events.map(({ corrects }) => corrects));
    const recorded = events.filter(
      (event) =>
        event.clientId === clientId && event.outcome === 'disclosed' && !takenBack.has(event.eventId),
    ).length;
    if (recorded >= answered && recorded <= answered + unanswered) continue;
    world.tally.broken(
      `${lob}: ${recorded} disclosures on record, where ${answered} answers had data and ${unanswered} more may have`,
    );
  }
}

/**
 * Verifies the audit when the schedule has made the first seals: a trail without seals is a finding. Waits without a call until the schedule
 * is due, since a verification computes for seconds. A run seals what is two minutes old, so it may leave everything to the next one. Other
 * tests may keep the machine busy now, so a verification that could not be carried out is repeated.
 */
async function verifySeals(world: World): Promise<void> {
  const due = world.runningSince + sealedEveryMs;
  await sleep(Math.max(0, due - Date.now()));
  for (const deadline = Date.now() + 2 * sealedEveryMs; ; await sleep(10_000)) {
    const { code, out, err } = await world.command('audit', 'verify');
    if (code === 0) return;
    if (Date.now() < deadline) continue;
    world.tally.broken(`audit verify: ${(out || err).slice(0, 300)}`);
    return;
  }
}
