/** Delays responses to multiples of a time step, so that the response time reveals nothing about the work. */

export interface Timer {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

/**
 * Carries out work, and delays its answer until a multiple of the step has passed since the beginning. Work that takes less than a step is
 * answered after one step, whatever its result.
 *
 * @param isHeld whether this answer is delayed; any other is returned at once.
 */
export async function answerAtStep<Answer>(
  { now, pause }: Timer,
  stepMilliseconds: number,
  isHeld: (answer: Answer) => boolean,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const startedAt = now();
  const answer = await work();
  if (isHeld(answer)) await pause(stepMilliseconds - ((now() - startedAt) % stepMilliseconds));
  return answer;
}
