import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import type { Outcome } from '../../api/portal-client.ts';
import { Alert, ProblemAlert } from '../../components/alert.tsx';
import { Time } from '../../components/display.tsx';
import { type Remote, useAct } from './remote.tsx';

/** Shows which environments have not confirmed the last act yet, with a button to try again at once. */
export function Pending<View extends ApplicationView>(props: {
  readonly view: View;
  readonly remote: Remote<View>;
  /** Repeats the act; absent for viewers who may not take it. */
  readonly repeat?: (() => Promise<Outcome<View>>) | undefined;
}) {
  const { view, remote, repeat } = props;
  const { busy, problem, run } = useAct();
  const [oldest] = view.pending ?? [];
  if (oldest === undefined) return null;
  const environments = [...new Set(view.pending?.map(({ environment }) => environment))].join(' and ');
  const again = async () => {
    if (repeat === undefined) return;
    const outcome = await run(repeat);
    if (outcome?.ok === true) remote.replace(outcome.value);
    else remote.reload();
  };
  return (
    <Alert kind="warning" title={`Not confirmed yet: ${environments}`}>
      <p>
        The state shown here was saved <Time at={oldest.since} />. Until the environment confirms it, calls
        may be answered as before. We try again every few seconds.
      </p>
      {problem !== undefined && problem.code !== 'act_pending' && <ProblemAlert problem={problem} />}
      <button
        type="button"
        class="usa-button usa-button--outline"
        disabled={busy}
        onClick={() => void (repeat === undefined ? remote.reload() : again())}
      >
        {repeat === undefined ? 'Refresh' : 'Try again now'}
      </button>
    </Alert>
  );
}
