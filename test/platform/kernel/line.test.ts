import { describe, expect, it } from 'vitest';
import {
  aheadInLine,
  secondsUntilAsked,
  shareOf,
  type Waiting,
  type WaitingLine,
} from '../../../lambdas/platform/kernel/line.ts';

const job = (owner: string, at: number): Waiting => ({
  id: `${owner}${at}`,
  owner,
  since: String(at).padStart(4, '0'),
});
const jobs = (owner: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => job(owner, from + at));

/**
 * Runs a line of jobs to its end. In each step one running job ends and others arrive.
 *
 * @returns the jobs in the order of their starts
 */
function runLine(
  atOnce: number,
  arrivals: (step: number) => readonly Waiting[],
  ends: (running: readonly Waiting[]) => number = () => 0,
): readonly string[] {
  let [waiting, running, recent]: [Waiting[], Waiting[], string[]] = [[], [], []];
  const started: string[] = [];
  for (let step = 0; step < 10 || waiting.length + running.length > 0; step += 1) {
    waiting.push(...arrivals(step));
    for (;;) {
      const line: WaitingLine = { waiting, running: running.map(({ owner }) => owner), recent, atOnce };
      const next = waiting.find(({ id }) => aheadInLine(line, id) === 0);
      if (next === undefined) break;
      waiting = waiting.filter((each) => each !== next);
      running.push(next);
      recent = [...recent.filter((owner) => owner !== next.owner), next.owner];
      started.push(next.id);
    }
    expect(running.length).toBeLessThanOrEqual(atOnce);
    running = running.filter((_, at) => at !== ends(running));
  }
  return started;
}

describe('a line', () => {
  it('is in the order of arrival where all belong to one', () => {
    const own = jobs('a', 6);
    const order = own.map(({ id }) => id);
    expect(runLine(1, (step) => (step === 0 ? own.toReversed() : []))).toEqual(order);
    expect(runLine(3, (step) => (step === 0 ? own : []))).toEqual(order);
    const line = { waiting: own, running: ['a'], recent: ['a'], atOnce: 1 };
    expect(own.map(({ id }) => aheadInLine(line, id))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(aheadInLine({ ...line, running: [] }, 'a0')).toBe(0);
    expect(aheadInLine({ ...line, atOnce: 3 }, 'a1')).toBe(0);
    expect(aheadInLine({ ...line, atOnce: 3 }, 'a2')).toBe(1);
  });

  it('gives owners their turns one after another, whoever came first with how many', () => {
    const [many, few] = [jobs('a', 50), jobs('b', 3, 100)];
    for (const atOnce of [1, 3]) {
      const order = runLine(atOnce, (step) => (step === 0 ? many : step === 2 ? few : []));
      expect(order).toHaveLength(53);
      expect(order.filter((id) => id.startsWith('a'))).toEqual(many.map(({ id }) => id));
      // After its arrival each job of `b` starts after at most one more job of `a`.
      const places = few.map(({ id }) => order.indexOf(id));
      expect(places[0]).toBeLessThanOrEqual(atOnce + 2);
      expect((places[2] ?? 0) - (places[0] ?? 0)).toBeLessThanOrEqual(4);
    }
  });

  it('starves nobody while another refills it after each start, and whichever of the running ends first', () => {
    for (const end of [0, 1, 2]) {
      let refilled = 0;
      const order = runLine(
        3,
        (step) => {
          if (step > 40) return [];
          refilled += 1;
          return [job('a', refilled), ...(step === 5 ? [job('b', 500), job('c', 501)] : [])];
        },
        (running) => Math.min(end, running.length - 1),
      );
      for (const id of ['b500', 'c501']) expect(order.indexOf(id)).toBeLessThanOrEqual(10);
    }
  });

  it('is for three owners a turn each, in any course', () => {
    const all = ['a', 'b', 'c'].map((owner) => jobs(owner, 8));
    const order = runLine(1, (step) => (step === 0 ? all.flat() : [])).map((id) => id.charAt(0));
    for (let round = 0; round < 8; round += 1) {
      expect(new Set(order.slice(3 * round, 3 * round + 3)).size).toBe(3);
    }
  });
});

it('is asked after 5 seconds at first, more seldom later, and 2,400 times at most in two days', () => {
  expect([0, 60_000, 200_000, 36e5, 36e6].map(secondsUntilAsked)).toEqual([5, 5, 10, 90, 90]);
  let [waited, questions] = [0, 0];
  while (waited < 48 * 36e5) {
    waited += 1_000 * secondsUntilAsked(waited);
    questions += 1;
  }
  expect(questions).toBeLessThan(2_400);
});

it('is asked within 90 seconds, whichever way the clock has jumped', () => {
  const week = 7 * 24 * 3_600_000;
  expect([-week, week].map(secondsUntilAsked)).toEqual([5, 90]);
});

it('divides what is carried out at once, one at least', () => {
  expect([0, 1, 2, 3, 6].map((running) => shareOf(3, running))).toEqual([3, 3, 1, 1, 1]);
});
