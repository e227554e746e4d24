/** Deadline of the invocation under way. An execution environment has one at a time (Lambda, "Execution environment lifecycle"). */

/** Milliseconds since 1970 until which the invocation may wait. */
let waitsUntil = 0;

/** Milliseconds at the end of an invocation in which it waits no more: what was begun is finished or reported as failed. */
const longestEndingMs = 60_000;

/** Begins an invocation that has so many milliseconds. If they are not given, it waits for nothing. */
export function beginInvocation(remainingMs: number | undefined, now: number): void {
  waitsUntil = remainingMs === undefined ? 0 : now + remainingMs - Math.min(longestEndingMs, remainingMs / 5);
}

/** Whether the invocation may still wait: until a minute before its time ends, or the last fifth of a short one. */
export function mayWait(now: number): boolean {
  return now < waitsUntil;
}
