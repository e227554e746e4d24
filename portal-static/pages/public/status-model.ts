/** Model of the status page: parts, their history, and when to ask again. */

import type { StatusView } from '../../../lambdas/portal/api/views.ts';

/** The page asks again after so long, while somebody looks at it. */
export const askAgainMilliseconds = 60_000;

/** A part that began or ceased to answer. */
export interface StatusChange {
  /** ISO 8601: when it was seen. */
  readonly at: string;
  readonly words: string;
}

/** Names of parts as sentences begin with them. */
export const partName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Describes the changes since the last check. A different response time is not a change. */
export function changesBetween(before: StatusView, after: StatusView): readonly StatusChange[] {
  return after.parts.flatMap(({ name, answers }) => {
    const was = before.parts.find((part) => part.name === name);
    if (was === undefined || was.answers === answers) return [];
    const words = answers ? `${partName(name)} answers again.` : `${partName(name)} does not answer.`;
    return [{ at: after.checkedAt, words }];
  });
}
