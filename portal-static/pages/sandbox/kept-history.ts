/** The calls of an application in this tab: kept in session storage without their secrets, so that a reload shows them again. */

import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { AskedCall } from './asked-call.ts';
import { jsonOf } from './exchange.ts';
import type { LessonStep } from './lesson.ts';
import { maskSecrets, secretsOf } from './secrets-model.ts';
import { type Lesson, lessons } from './try-model.ts';

/** The calls of an application that a tab keeps. */
export interface KeptHistory {
  readonly applicationId: string;
  readonly lob: LineOfBusiness;
  readonly lesson: Lesson;
  readonly steps: readonly LessonStep[];
}

const historyKey = 'guided-first-call-result';
const callKey = 'workbench-call';

/** Most calls that are kept; the oldest go first. */
const mostSteps = 30;

/** Serializes a history, with dots in place of each secret. */
export function historyText({ steps, ...rest }: KeptHistory): string {
  const last = steps.slice(-mostSteps);
  const secrets = last.flatMap(({ exchange }) => secretsOf(exchange.call, jsonOf(exchange)));
  return maskSecrets(JSON.stringify({ ...rest, steps: last } satisfies KeptHistory), secrets);
}

/** Reads the history of the last visit; its calls are marked as kept. */
export function readHistory(): KeptHistory | undefined {
  const kept = stored<KeptHistory>(historyKey);
  if (kept === undefined || !(kept.lesson in lessons) || !Array.isArray(kept.steps)) return undefined;
  return { ...kept, steps: kept.steps.map((step) => ({ ...step, kept: true as const })) };
}

/** Keeps a history in this tab. */
export function keepHistory(history: KeptHistory): void {
  store(historyKey, historyText(history));
}

/** Keeps the call that is in the form of the workbench. */
export function keepCall(call: AskedCall): void {
  store(callKey, JSON.stringify(call));
}

export function readKeptCall(): AskedCall | undefined {
  return stored<AskedCall>(callKey);
}

function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Session storage is not available or full: the page shows its calls until it is reloaded.
  }
}

function stored<Value>(key: string): Value | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? 'null') as Value | null) ?? undefined;
  } catch {
    return undefined;
  }
}
