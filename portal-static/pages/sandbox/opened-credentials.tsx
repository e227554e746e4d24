import type { ComponentChildren } from 'preact';
import type { CredentialsView } from '../../../lambdas/portal-api/views.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';
import { PasswordAgain } from '../applications/password-again.tsx';
import { useCredentials } from '../applications/use-credentials.ts';

/** The sandbox credentials, after the password where it is due; they are kept nowhere but in this page's memory. */
export function OpenedCredentials(props: {
  readonly applicationId: string;
  readonly clientId?: string;
  readonly children: (credentials: CredentialsView) => ComponentChildren;
}) {
  const { state, read } = useCredentials(props.applicationId, 'sandbox', props.clientId);
  switch (state.kind) {
    case 'shown':
      return <>{props.children(state.credentials)}</>;
    case 'asking':
      return <Progress words="Asking for the credentials…" />;
    case 'refused':
      return <ProblemAlert problem={state.problem} retry={() => void read()} />;
    case 'password':
      return (
        <>
          <p>The calls are made with your application’s own credentials.</p>
          <PasswordAgain action="Go on" onOpened={read} />
        </>
      );
  }
}
