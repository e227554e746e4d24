/**
 * Deadline of the current invocation. An execution environment has one invocation at a time (Lambda, "Execution environment lifecycle").
 */

/** Time until which the invocation may wait for a busy store, milliseconds since 1970. */
let waitsUntil = 0;

/** Milliseconds at the end of an invocation in which it does not wait: work in progress is finished or reported as failed. */
const longestEndingMs = 60_000;

/**
 * Sets the deadline of an invocation.
 *
 * @param remainingMs time that the invocation has; if undefined, it does not wait at all.
 */
export function beginInvocation(remainingMs: number | undefined, now: number): void {
  waitsUntil = remainingMs === undefined ? 0 : now + remainingMs - Math.min(longestEndingMs, remainingMs / 5);
}

/** Whether the invocation may still wait: until a minute before its end, or the last fifth of a shorter one. */
export function mayWait(now: number): boolean {
  return now < waitsUntil;
}
