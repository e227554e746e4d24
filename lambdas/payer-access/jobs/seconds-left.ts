import type { Job } from './payer-job.ts';

/** Seconds that a job still takes at its pace so far, between 1 and 120. */
export function secondsLeft({ members, done, startedAt }: Job, now: number): number {
  if (done === 0 || startedAt === undefined) return 2;
  const perMember = (now - Date.parse(startedAt)) / 1000 / done;
  return Math.min(120, Math.max(1, Math.ceil(perMember * (members - done))));
}
