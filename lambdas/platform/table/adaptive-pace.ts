/** Pace of a function's store calls: adapts how many are under way to what the store takes. */

/** Limits the concurrent calls. */
export interface Pace {
  /** Starts the work when there is room for it. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Takes note that the store throttled a call, or was too busy to answer it. */
  throttled(): void;
}

/** Milliseconds in which several throttled calls count as one: they were sent before the first one slowed the pace. */
const oneSignMs = 1_000;

/**
 * Additive increase, multiplicative decrease (RFC 5681 section 3.1, as TCP shares a link): each call that succeeds adds a part, so that a whole round of them makes room
 * for one more; a throttled one halves it. Ranges that load into the same table so come to equal shares of what it takes.
 *
 * @param most calls at once, which the first ones are.
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
