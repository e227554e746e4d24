/** Form that ends the older of two secrets or keys before its time. */

import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { credentialWords } from './credentials-model.ts';
import { useAct } from './remote.tsx';

/** Button that ends the older of two secrets or keys before its time, after a confirmation. */
export function Stop(props: {
  readonly what: keyof typeof credentialWords;
  readonly createdAt: string;
  readonly lastUsed: ComponentChildren;
  readonly environment: Environment;
  readonly application: ApplicationView;
  readonly stopped: () => Promise<void>;
}) {
  const { what, createdAt, environment, application } = props;
  const { thing, short, stop, fails } = credentialWords[what];
  const requestId = useRef(crypto.randomUUID());
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { run, busy } = useAct();
  const send = async () => {
    const { applicationId } = application;
    const outcome = await run(() =>
      call(`POST /api/applications/{applicationId}/credentials/{environment}/${stop}`, {
        path: { applicationId, environment },
        body: { requestId: requestId.current, createdAt },
      }),
    );
    setAsking(false);
    if (outcome === undefined) return;
    if (!outcome.ok) return setProblem(outcome.problem);
    await props.stopped();
  };
  return (
    <>
      {problem !== undefined && <ProblemAlert problem={problem} focus />}
      <button
        type="button"
        class="usa-button usa-button--outline"
        onClick={() => {
          setProblem(undefined);
          setAsking(true);
        }}
      >
        Stop this {short} now
      </button>
      {asking && (
        <Confirm
          title={`Stop the older ${environment} ${thing} now?`}
          action={`Stop this ${short}`}
          pending={busy}
          onConfirm={() => void send()}
          onCancel={() => setAsking(false)}
        >
          <p>
            It stops within 30 seconds. {fails} after that. The newest {thing} stays valid. You cannot restore
            a stopped {short}.
          </p>
          <p>Last used: {props.lastUsed}</p>
        </Confirm>
      )}
    </>
  );
}
