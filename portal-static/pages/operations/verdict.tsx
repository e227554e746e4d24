/** The verdict of the pre-flight: a line with its counts, then what an operator has to look at, worst first. */

import { verdictOf, verdictText, worstFirst } from '../../../lambdas/portal/api/verdict.ts';
import type { PreflightCheck } from '../../../lambdas/portal/api/views.ts';
import { Checks } from '../applications/act-problem.tsx';

const resultWords: Readonly<Record<PreflightCheck['result'], string>> = {
  fail: 'To fix',
  warn: 'To check',
  pass: 'Passed',
  skipped: 'Not checked',
};

export function VerdictPart({ checks }: { readonly checks: readonly PreflightCheck[] }) {
  const ordered = worstFirst(checks);
  const isOpen = ({ result }: PreflightCheck) => result === 'fail' || result === 'warn';
  const others = ordered.filter((check) => !isOpen(check));
  return (
    <section class="verdict" aria-labelledby="verdict">
      <h2 id="verdict">{verdictText(verdictOf(checks)) || 'No check applies'}</h2>
      <Checks checks={ordered.filter(isOpen)} words={resultWords} />
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} other {others.length === 1 ? 'check' : 'checks'}
          </summary>
          <Checks checks={others} words={resultWords} />
        </details>
      )}
    </section>
  );
}
