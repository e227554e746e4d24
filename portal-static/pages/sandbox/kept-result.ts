/** Keeps the result of a guided first call in session storage, so that a reload shows it again. */

import { jsonOf } from './exchange.ts';
import type { LessonStep } from './lesson.ts';
import { maskSecrets, secretsOf } from './secrets-model.ts';
import { type Attempt, type Lesson, lessons } from './try-model.ts';

/** The result of a guided first call, as it is kept in this tab. */
export interface Result {
  readonly applicationId: string;
  readonly lesson: Lesson;
  readonly steps: readonly LessonStep[];
}

const key = 'guided-first-call-result';

/** Serializes a result for storage, with dots in place of each secret. */
export function resultText({ applicationId, lesson }: Attempt, steps: readonly LessonStep[]): string {
  const secrets = steps.flatMap(({ exchange }) => secretsOf(exchange.call, jsonOf(exchange)));
  return maskSecrets(JSON.stringify({ applicationId, lesson, steps } satisfies Result), secrets);
}

export function keepResult(attempt: Attempt, steps: readonly LessonStep[]): void {
  try {
    sessionStorage.setItem(key, resultText(attempt, steps));
  } catch {
    // Session storage is not available: the result is shown until the page is reloaded.
  }
}

export function readResult(): Result | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Result | null;
    return kept !== null && kept.lesson in lessons && Array.isArray(kept.steps) ? kept : undefined;
  } catch {
    return undefined;
  }
}
