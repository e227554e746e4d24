/** The result of a pre-flight in one line: counts for lists, and the order in which an operator looks at its checks. */

import type { Verdict } from './operator-views.ts';
import type { PreflightCheck } from './views.ts';

/** The kinds of result, worst first, each with the words that follow its count and stand beside its checks. */
const kinds = {
  fix: 'to fix',
  check: 'to check',
  open: 'to open',
  passed: 'passed',
} as const satisfies Readonly<Record<keyof Verdict, string>>;

const kindNames = Object.keys(kinds) as readonly (keyof Verdict)[];

/** Finds the kind of a check's result; undefined if the check does not apply to the application. */
function kindOf({ id, result }: PreflightCheck): keyof Verdict | undefined {
  if (result === 'fail') return 'fix';
  if (result === 'warn') return 'check';
  if (result === 'pass') return 'passed';
  // The check was skipped because the portal's network cannot reach the address, so an operator opens it.
  return id.startsWith('address-') ? 'open' : undefined;
}

/** Counts the results of a pre-flight. */
export function verdictOf(checks: readonly PreflightCheck[]): Verdict {
  const counts = { fix: 0, check: 0, open: 0, passed: 0 };
  for (const check of checks) {
    const kind = kindOf(check);
    if (kind !== undefined) counts[kind] += 1;
  }
  return counts;
}

/** `1 to fix, 2 to check, 10 passed` */
export function verdictText(verdict: Verdict): string {
  return kindNames
    .filter((kind) => verdict[kind] > 0)
    .map((kind) => `${verdict[kind]} ${kinds[kind]}`)
    .join(', ');
}

/** Sorts checks, worst first. Checks of the same kind, and those that do not apply (at the end), keep their order. */
export function worstFirst(checks: readonly PreflightCheck[]): readonly PreflightCheck[] {
  const place = (check: PreflightCheck) => {
    const kind = kindOf(check);
    return kind === undefined ? kindNames.length : kindNames.indexOf(kind);
  };
  return [...checks].sort((one, other) => place(one) - place(other));
}
