/**
 * Admits the asynchronous jobs of Payer Access (bulk member matches and exports), called by the function `payer-jobs` for their state
 * machine. A limited number of a LOB's jobs runs at once, and payers take turns. A job is carried out in parts of some members each; the
 * running jobs share the number of parts that may be in progress.
 */

import { jobKinds, jobLimits } from '../../catalog/payer/job-kinds.ts';
import { aheadInLine, secondsUntilAsked, shareOf, type WaitingLine } from '../../platform/kernel/line.ts';
import type { JobInLine, JobStore } from './job-ports.ts';
import type { JobStepAnswer } from './job-steps-contract.ts';
import { type Job, rangesOf } from './payer-job.ts';
import { secondsLeft } from './seconds-left.ts';

/** Size of a wave (the parts that a state machine carries out before it asks again), in multiples of the parts that run at once. After each wave the parts are divided among the running jobs again. */
const roundsInWave = 4;

/**
 * Starts a job if the LOB may run another one and no other job is due before it. A job that loses a write race waits, and its state machine asks again.
 *
 * @throws StoreUnavailable
 */
export async function admitJob(store: JobStore, job: Job, now: number): Promise<JobStepAnswer> {
  if (job.state === 'running') return { kind: 'admitted' };
  if (job.state !== 'accepted') return { kind: 'ended' };
  // The turn is read before the queue: if another job starts in between, `start` fails.
  const turn = await store.turn();
  const line = await store.line();
  const own = line.find(({ jobId }) => jobId === job.jobId);
  const ahead = aheadInLine(lineOf(line, turn.recent), job.jobId);
  const at = new Date(now).toISOString();
  if (own !== undefined && ahead === 0 && (await store.start(own, turn, at))) return { kind: 'admitted' };
  return { kind: 'waiting', seconds: secondsUntilAsked(now - Date.parse(job.acceptedAt)) };
}

function lineOf(jobs: readonly JobInLine[], recent: readonly string[]): WaitingLine {
  return {
    waiting: jobs
      .filter(({ startedAt }) => startedAt === undefined)
      .map(({ jobId, payer, acceptedAt }) => ({ id: jobId, owner: payer, since: acceptedAt })),
    running: jobs.flatMap(({ startedAt, payer }) => (startedAt === undefined ? [] : [payer])),
    recent,
    atOnce: jobLimits.partsAtOnce,
  };
}

/**
 * The parts of a running job to carry out next, and how many of them at once.
 *
 * @throws StoreUnavailable
 */
export async function nextWave(store: JobStore, { jobId, kind, members }: Job): Promise<JobStepAnswer> {
  const [parts, line] = await Promise.all([store.parts(jobId), store.line()]);
  const done = new Set(parts.map(({ part }) => part));
  const open = rangesOf(members, jobKinds[kind].membersInPart).filter(({ part }) => !done.has(part));
  if (open.length === 0) return { kind: 'carried-out' };
  const running = line.filter(({ startedAt }) => startedAt !== undefined).length;
  const partsAtOnce = shareOf(jobLimits.partsAtOnce, running);
  const wave = open.slice(0, partsAtOnce * roundsInWave).map(({ part }) => ({ jobId, part }));
  return { kind: 'wave', parts: wave, partsAtOnce };
}

/** The position of a waiting job in words (`third in line`), and the seconds after which to ask again. */
export interface PlaceInLine {
  readonly place: string;
  readonly retryAfterSeconds: number;
}

/**
 * Finds the position of a waiting job.
 *
 * @returns undefined if the job starts when it asks next.
 * @throws StoreUnavailable
 */
export async function placeInLine(store: JobStore, job: Job, now: number): Promise<PlaceInLine | undefined> {
  const [turn, line] = await Promise.all([store.turn(), store.line()]);
  const ahead = aheadInLine(lineOf(line, turn.recent), job.jobId);
  if (ahead === 0) return undefined;
  const running = line.filter(({ startedAt }) => startedAt !== undefined);
  const found = await Promise.all(running.map(({ jobId }) => store.job(jobId)));
  const left = found.flatMap((each) => (each === undefined ? [] : [secondsLeft(each, now)]));
  const asked = secondsUntilAsked(now - Date.parse(job.acceptedAt));
  return {
    place: `${ordinals[ahead - 1] ?? `number ${ahead}`} in line`,
    retryAfterSeconds: Math.min(120, Math.max(asked, secondsUntilTurn(ahead, left))),
  };
}

const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

/**
 * Estimates the seconds until `ahead` jobs have ended. Jobs that start later are assumed to take as long as the running one with the most
 * time left.
 *
 * @param left seconds that each running job still takes.
 */
function secondsUntilTurn(ahead: number, left: readonly number[]): number {
  if (left.length === 0) return 0;
  const ends = left.toSorted((a, b) => a - b);
  const rounds = Math.floor((ahead - 1) / ends.length);
  return (ends[(ahead - 1) % ends.length] ?? 0) + rounds * (ends.at(-1) ?? 0);
}
