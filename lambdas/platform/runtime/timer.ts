import type { Timer } from '../kernel/answer-steps.ts';

/** The function's own clock and its timeouts. */
export const systemTimer: Timer = {
  now: () => performance.now(),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.ceil(milliseconds))),
};
