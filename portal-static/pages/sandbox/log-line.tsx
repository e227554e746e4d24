/** The line of a call in the application's log of calls. */

import '../../app/kernel.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallView } from '../../../lambdas/portal/api/views.ts';
import { call, type Outcome } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { Facts, Time } from '../../components/display.tsx';
import { Progress } from '../../components/progress.tsx';
import { explain } from '../applications/calls-model.ts';
import { ActButton, Marked } from '../applications/parts.tsx';

/** Finds the line by its request ID, as the gateway logged it: about a minute after the call. */
export function LogLine(props: { readonly applicationId: string; readonly requestId: string }) {
  const { applicationId, requestId } = props;
  const [outcome, setOutcome] = useState<Outcome<CallView | undefined>>();
  const [busy, setBusy] = useState(false);
  const announce = useAnnounce();
  const place = useRef<HTMLDivElement>(null);
  const look = async (isAgain: boolean) => {
    setBusy(true);
    const found = await lineOf(applicationId, requestId);
    setOutcome(found);
    setBusy(false);
    if (!isAgain) return;
    announce(
      found.ok && found.value !== undefined ? 'The line is in the log.' : 'The line is not in the log yet.',
    );
    // The button that was pressed is gone.
    if (found.ok && found.value !== undefined) place.current?.focus();
  };
  useEffect(() => void look(false), [requestId]);
  if (outcome === undefined) return <Progress words="Reading the call log…" />;
  if (!outcome.ok) return <ProblemAlert problem={outcome.problem} retry={() => void look(true)} />;
  if (outcome.value === undefined) {
    return (
      <>
        <p>
          The log does not have request <code class="request-id">{requestId}</code> yet. A call appears there
          about a minute after it was made.
        </p>
        <ActButton quiet pending={busy} onAct={() => void look(true)}>
          Refresh
        </ActButton>
      </>
    );
  }
  return (
    <div ref={place} tabIndex={-1}>
      <Line line={outcome.value} />
    </div>
  );
}

async function lineOf(applicationId: string, requestId: string): Promise<Outcome<CallView | undefined>> {
  const outcome = await call('GET /api/applications/{applicationId}/calls/{environment}', {
    path: { applicationId, environment: 'sandbox' },
  });
  if (!outcome.ok) return outcome;
  return { ok: true, value: outcome.value.calls.find((line) => line.requestId === requestId) };
}

function Line({ line }: { readonly line: CallView }) {
  const why = explain(line);
  const { reason, responseType, latencyMs } = line;
  return (
    <>
      <Facts
        facts={[
          ['Request ID', <code key="id">{line.requestId}</code>],
          ['Time', <Time key="at" at={line.at} />],
          [
            'Route',
            <code key="route">
              {line.method} {line.route}
            </code>,
          ],
          ['Status', line.status],
          ...(latencyMs === undefined ? [] : [['Time in the service', `${latencyMs} ms`] as const]),
          ...(responseType === undefined
            ? []
            : [['Gateway response', <code key="type">{responseType}</code>] as const]),
          ...(reason === undefined ? [] : [['Reason', <code key="reason">{reason}</code>] as const]),
        ]}
      />
      {why !== undefined && (
        <p>
          <strong>Expected</strong> {why.expected}. <strong>Received</strong> {why.received}.{' '}
          <Marked text={why.fix} />
        </p>
      )}
    </>
  );
}
