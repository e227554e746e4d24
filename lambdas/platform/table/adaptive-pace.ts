/** Limits a function's concurrent store calls, and adapts the limit to the store's throughput. */

/** Limits concurrent calls. */
export interface Pace {
  /** Carries out work once the limit allows another call. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Reports that the store throttled a call, or was too busy to answer. */
  throttled(): void;
}

/** Milliseconds in which several throttled calls count as one, because they were sent before the first one lowered the limit. */
const oneSignMs = 1_000;

/**
 * Adapts the limit as TCP does (additive increase, multiplicative decrease, RFC 5681 section 3.1): a full round of successful calls adds
 * one concurrent call, a throttled call halves the limit. So functions that load into the same table get equal shares of its throughput.
 *
 * @param most maximum concurrent calls, and the initial limit.
 * @param now milliseconds since 1970.
 */
export function adaptivePace(most: number, now: () => number): Pace {
  let room = most;
  let underWay = 0;
  let slowedAt = Number.NEGATIVE_INFINITY;
  const waiting: (() => void)[] = [];

  function admitWaiting(): void {
    while (underWay < Math.floor(room)) {
      const next = waiting.shift();
      if (next === undefined) return;
      underWay += 1;
      next();
    }
  }

  return {
    async run(work) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        admitWaiting();
      });
      try {
        const result = await work();
        room = Math.min(most, room + 1 / room);
        return result;
      } finally {
        underWay -= 1;
        admitWaiting();
      }
    },
    throttled() {
      const time = now();
      if (time - slowedAt < oneSignMs && time >= slowedAt) return;
      slowedAt = time;
      room = Math.max(1, room / 2);
    },
  };
}
