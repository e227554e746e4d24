import type { Timer } from '../kernel/answer-steps.ts';

/** Timer of a function: its monotonic clock and `setTimeout`. */
export const systemTimer: Timer = {
  now: () => performance.now(),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.ceil(milliseconds))),
};
