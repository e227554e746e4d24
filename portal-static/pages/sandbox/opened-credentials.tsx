import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CredentialsView } from '../../../lambdas/portal/api/views.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';
import { PasswordAgain } from '../applications/password-again.tsx';
import { useCredentials } from '../applications/use-credentials.ts';

/** Reads the sandbox's credentials, asking for the password if needed. They are kept in this page's memory only. */
export function OpenedCredentials(props: {
  readonly applicationId: string;
  readonly clientId?: string;
  readonly children: (credentials: CredentialsView) => ComponentChildren;
}) {
  const { state, read } = useCredentials(props.applicationId, 'sandbox', props.clientId);
  const place = useRef<HTMLElement>(null);
  const opened = useRef(false);
  const isShown = state.kind === 'shown';
  useEffect(() => {
    // The focused password form was removed, so the focus moves to the content.
    if (isShown && opened.current) place.current?.focus();
  }, [isShown]);
  switch (state.kind) {
    case 'shown':
      return (
        <section ref={place} tabIndex={-1} aria-label="Calls with your credentials">
          {props.children(state.credentials)}
        </section>
      );
    case 'asking':
      return <Progress words="Loading credentials…" />;
    case 'refused':
      return <ProblemAlert problem={state.problem} retry={() => void read()} />;
    case 'password':
      return (
        <>
          <p>This page makes the calls with your application’s credentials.</p>
          <PasswordAgain
            action="Continue"
            onOpened={async () => {
              opened.current = true;
              await read();
            }}
          />
        </>
      );
  }
}
