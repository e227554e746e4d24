import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CredentialsView } from '../../../lambdas/portal-api/views.ts';
import { call } from '../../api/client.ts';
import type { Problem } from '../../api/problem.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';
import { PasswordAgain } from '../applications/password-again.tsx';

/** The sandbox credentials, after the password where it is due; they are kept nowhere but in this page's memory. */
export function OpenedCredentials(props: {
  readonly applicationId: string;
  readonly children: (credentials: CredentialsView) => ComponentChildren;
}) {
  const { applicationId } = props;
  const [credentials, setCredentials] = useState<CredentialsView>();
  const [problem, setProblem] = useState<Problem>();
  const read = async () => {
    setProblem(undefined);
    const outcome = await call('POST /api/applications/{applicationId}/credentials/{environment}', {
      path: { applicationId, environment: 'sandbox' },
      body: {},
    });
    if (outcome.ok) setCredentials(outcome.value);
    else setProblem(outcome.problem);
  };
  useEffect(() => void read(), [applicationId]);
  if (credentials !== undefined) return <>{props.children(credentials)}</>;
  if (problem === undefined) return <Progress words="Asking for the credentials…" />;
  if (problem.code !== 'password_needed') {
    return <ProblemAlert problem={problem} retry={() => void read()} />;
  }
  return (
    <>
      <p>The calls are made with your application’s own secret and subscription key.</p>
      <PasswordAgain action="Go on" onOpened={read} />
    </>
  );
}
