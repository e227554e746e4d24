/** Sends answers at whole steps of time, so that the time does not tell how far the work came. */

export interface Timer {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

/**
 * Carries out work and holds an answer back until a whole step since the beginning has passed. Work that takes less than a step is
 * then answered after one step, whatever it found.
 *
 * @param isHeld whether this answer is held back; any other is given at once.
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
