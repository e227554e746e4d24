/** Entry point of the status page. */

import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StatusView } from '../../lambdas/portal/api/views.ts';
import { call } from '../api/portal-client.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemAlert } from '../components/alert.tsx';
import { DataTable, Tag, Time } from '../components/display.tsx';
import { Progress } from '../components/progress.tsx';
import {
  askAgainMilliseconds,
  changesBetween,
  partName,
  type StatusChange,
} from '../pages/public/status-model.ts';

interface Asked {
  readonly status?: StatusView;
  /** Failure of the last request; `status` is then that of an earlier request. */
  readonly problem?: Problem;
  /** Changes since the page was opened, newest first. */
  readonly changes: readonly StatusChange[];
  /** Text for screen readers; announces changes only. */
  readonly said: string;
}

/** Requests the status at once, each minute while the page is visible, and when it becomes visible after more than a minute. */
function useStatus() {
  const [asked, setAsked] = useState<Asked>({ changes: [], said: '' });
  const [busy, setBusy] = useState(false);
  const lastAsked = useRef(Number.NEGATIVE_INFINITY);
  const ask = async (byHand: boolean) => {
    lastAsked.current = Date.now();
    setBusy(true);
    const outcome = await call('GET /api/status');
    setBusy(false);
    setAsked(({ status, problem, changes }) => {
      if (!outcome.ok) {
        const said = problem === undefined && status !== undefined ? 'The status could not be updated.' : '';
        return { ...(status === undefined ? {} : { status }), problem: outcome.problem, changes, said };
      }
      const found = status === undefined ? [] : changesBetween(status, outcome.value);
      const unchanged = byHand ? 'Status updated. There are no changes.' : '';
      return {
        status: outcome.value,
        changes: [...found, ...changes],
        said: found.map(({ words }) => words).join(' ') || unchanged,
      };
    });
  };
  useEffect(() => {
    const askIfDue = () => {
      const isDue = Date.now() - lastAsked.current >= askAgainMilliseconds;
      if (document.visibilityState === 'visible' && isDue) void ask(false);
    };
    askIfDue();
    // Checks every second whether a minute has passed, so that a request is also sent after the computer slept.
    const timer = setInterval(askIfDue, 1000);
    document.addEventListener('visibilitychange', askIfDue);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', askIfDue);
    };
  }, []);
  return { asked, busy, ask: () => void ask(true) };
}

function StatusNow() {
  const { asked, busy, ask } = useStatus();
  const { status, problem, changes, said } = asked;
  return (
    <>
      {problem !== undefined && <ProblemAlert problem={problem} retry={ask} />}
      {status === undefined && problem === undefined && <Progress words="Loading status…" />}
      {status !== undefined && <Parts status={status} />}
      {status !== undefined && status.data.length > 0 && <Data status={status} />}
      {status !== undefined && (
        <p>
          Last updated <Time at={status.checkedAt} />. The status updates each minute while this page is open.{' '}
          <button
            type="button"
            class="usa-button usa-button--unstyled"
            aria-disabled={busy}
            onClick={() => {
              if (!busy) ask();
            }}
          >
            Refresh
          </button>
        </p>
      )}
      <p class="usa-sr-only" role="status">
        {said}
      </p>
      {changes.length > 0 && (
        <section aria-labelledby="changes">
          <h2 id="changes">Changes since you opened this page</h2>
          <ul>
            {changes.map(({ at, words }) => (
              <li key={`${at} ${words}`}>
                <Time at={at} />: {words}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Parts({ status }: { readonly status: StatusView }) {
  return (
    <DataTable
      caption="Parts of the service"
      columns={['Part', 'Answers', 'Response time']}
      rows={status.parts.map((part) => ({
        key: part.name,
        cells: [
          partName(part.name),
          <Tag key="answers" kind={part.answers ? 'good' : 'bad'}>
            {part.answers ? 'Yes' : 'No'}
          </Tag>,
          part.latencyMs === undefined ? 'not measured' : `${part.latencyMs} ms`,
        ],
      }))}
    />
  );
}

function Data({ status }: { readonly status: StatusView }) {
  return (
    <DataTable
      caption="Member data"
      columns={['Environment', 'Line of business', 'On time', 'Next update due by']}
      rows={status.data.map(({ environment, lob, late, freshUntil }) => ({
        key: `${environment} ${lob}`,
        cells: [
          partName(environment),
          lob,
          <Tag key="late" kind={late ? 'bad' : 'good'}>
            {late ? 'Late' : 'Yes'}
          </Tag>,
          <Time key="until" at={freshUntil} />,
        ],
      }))}
    />
  );
}

const root = document.getElementById('status');
if (root === null) throw new Error('the page has no place for the status');
render(<StatusNow />, root);
