import { expect, it } from 'vitest';
import { answerAtStep } from '../../../lambdas/platform/kernel/answer-steps.ts';

/** Answers that come at multiples of a step, so that their time does not tell what the work was. */

const step = 100;

/**
 * Works for this many milliseconds.
 *
 * @returns the time of the answer
 */
async function answeredAfter(milliseconds: number, isHeld: boolean): Promise<number> {
  let time = 5_000;
  const timer = {
    now: () => time,
    pause: async (more: number) => {
      time += more;
    },
  };
  const work = async () => {
    time += milliseconds;
    return isHeld;
  };
  expect(await answerAtStep(timer, step, (answer) => answer, work)).toBe(isHeld);
  return time - 5_000;
}

it.each([
  [0, 100],
  [3.25, 100],
  [99.5, 100],
  [101, 200],
  [250, 300],
])('holds an answer of %s ms back until %s ms', async (milliseconds, answered) => {
  expect(await answeredAfter(milliseconds, true)).toBe(answered);
});

it('gives any other answer at once', async () => {
  expect(await answeredAfter(42, false)).toBe(42);
});
