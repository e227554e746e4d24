/** Admission of jobs: so many of a LOB run at once, payers have turns one after another, and those that run share the parts. */

import { jobKinds, jobLimits } from '../../catalog/payer/job-kinds.ts';
import { aheadInLine, secondsUntilAsked, shareOf, type WaitingLine } from '../../platform/kernel/line.ts';
import type { JobInLine, JobStore } from './job-ports.ts';
import type { JobStepAnswer } from './job-steps-contract.ts';
import { type Job, rangesOf } from './payer-job.ts';
import { secondsLeft } from './seconds-left.ts';

/** Parts that each place of a job's share carries out before the parts are divided again. */
const roundsInWave = 4;

/**
 * Starts a job if fewer jobs of its LOB run than may and no other is due before it. A job that loses a race asks again later.
 *
 * @throws StoreUnavailable
 */
export async function admitJob(store: JobStore, job: Job, now: number): Promise<JobStepAnswer> {
  if (job.state === 'running') return { kind: 'admitted' };
  if (job.state !== 'accepted') return { kind: 'ended' };
  // Reads the turn before the line: if another job starts in between, the write fails.
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

/** The parts of a running job that are carried out next, and how many of them at once. @throws StoreUnavailable */
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

/** The place of a job that waits, in words, and the seconds after which it has come forward. */
export interface PlaceInLine {
  readonly place: string;
  readonly retryAfterSeconds: number;
}

/**
 * @returns undefined if the job may start when it asks next.
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

/** Seconds until so many jobs have ended, where each that follows takes as long as the longest that runs. */
function secondsUntilTurn(ahead: number, left: readonly number[]): number {
  if (left.length === 0) return 0;
  const ends = left.toSorted((a, b) => a - b);
  const rounds = Math.floor((ahead - 1) / ends.length);
  return (ends[(ahead - 1) % ends.length] ?? 0) + rounds * (ends.at(-1) ?? 0);
}
