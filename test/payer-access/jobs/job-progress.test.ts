import { describe, expect, it } from 'vitest';
import type { Job } from '../../../lambdas/payer-access/jobs/payer-job.ts';
import { secondsLeft } from '../../../lambdas/payer-access/jobs/seconds-left.ts';

describe('the Retry-After of a job', () => {
  const startedAt = '2026-11-23T10:00:00Z';
  const retryAfter = (seconds: number, job: Partial<Job>) =>
    secondsLeft(
      { members: 1_000, done: 0, startedAt, ...job } as Job,
      Date.parse(startedAt) + seconds * 1000,
    );

  it('is the time it still takes at its pace so far', () => {
    expect(retryAfter(10, { done: 100 })).toBe(90);
    expect(retryAfter(10, { done: 500 })).toBe(10);
    expect(retryAfter(1, { done: 999 })).toBe(1);
  });

  it('is two seconds before a part is done, and two minutes at most', () => {
    expect(retryAfter(10, {})).toBe(2);
    expect(retryAfter(10, { startedAt: undefined, done: 5 })).toBe(2);
    expect(retryAfter(600, { done: 100 })).toBe(120);
  });
});
