/** Local EventBridge: compiles event patterns. */

import { AssemblyError } from '../assembly/assembly-error.ts';

/** Whether an event matches a pattern. */
export type EventPattern = (event: unknown) => boolean;

/**
 * Compiles an EventBridge event pattern: required members, each equal to one of some texts, or beginning or ending with one. Other
 * comparisons are refused by name.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function compileEventPattern(pattern: unknown, place: string): EventPattern {
  if (Array.isArray(pattern)) {
    const values = pattern.map((value) => compileValue(value, place));
    return (given) => values.some((matches) => [given].flat().some(matches));
  }
  if (typeof pattern !== 'object' || pattern === null) {
    throw new AssemblyError(`${place}: an event pattern has lists of values`);
  }
  const members = Object.entries(pattern).map(
    ([name, inner]) => [name, compileEventPattern(inner, `${place}.${name}`)] as const,
  );
  return (event) =>
    members.every(([name, matches]) =>
      matches(
        typeof event === 'object' && event !== null ? (event as Record<string, unknown>)[name] : undefined,
      ),
    );
}

function compileValue(value: unknown, place: string): EventPattern {
  if (typeof value === 'string') return (given) => given === value;
  const [[operator, text] = [], ...others] = Object.entries((value ?? {}) as object);
  if (others.length === 0 && typeof text === 'string') {
    if (operator === 'suffix') return (given) => typeof given === 'string' && given.endsWith(text);
    if (operator === 'prefix') return (given) => typeof given === 'string' && given.startsWith(text);
  }
  throw new AssemblyError(`${place}: the comparison ${JSON.stringify(value)} is not known on one machine`);
}
