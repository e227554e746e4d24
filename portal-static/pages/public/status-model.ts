/** Model of the status page: names of the parts, changes of their state, and the refresh interval. */

import type { StatusView } from '../../../lambdas/portal/api/views.ts';

/** Milliseconds between two requests of the page while it is visible. */
export const askAgainMilliseconds = 60_000;

/** A part of the service that stopped or started responding. */
export interface StatusChange {
  /** Time at which the page noticed the change, ISO 8601. */
  readonly at: string;
  readonly words: string;
}

/** The name of a part at the beginning of a sentence. */
export const partName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Lists the changes since the last request. A different response time is not a change. */
export function changesBetween(before: StatusView, after: StatusView): readonly StatusChange[] {
  return after.parts.flatMap(({ name, answers }) => {
    const was = before.parts.find((part) => part.name === name);
    if (was === undefined || was.answers === answers) return [];
    const words = answers ? `${partName(name)} answers again.` : `${partName(name)} does not answer.`;
    return [{ at: after.checkedAt, words }];
  });
}
