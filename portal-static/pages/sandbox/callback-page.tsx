/** Redirect page of the guided first call. */

import { useEffect, useMemo } from 'preact/hooks';
import { Page } from '../../app/page.tsx';
import { Alert } from '../../components/alert.tsx';
import { Later } from '../../components/later-part.tsx';
import { type KeptHistory, readHistory } from './kept-history.ts';
import type { Arrival } from './member-workbench.tsx';
import { type Attempt, attemptKey, type Callback, readAttempt, readCallback } from './try-model.ts';

/** The redirect page that receives the authorization code of a guided first call. */
export default function CallbackPage() {
  const attempt = useMemo(() => readAttempt(sessionStorage.getItem(attemptKey)), []);
  const answer = useMemo(() => readCallback(location.search, attempt?.state), []);
  useEffect(() => {
    // The code works once: out of the address and the history with it.
    history.replaceState(null, '', location.pathname);
    if (answer.kind !== 'unknown') sessionStorage.removeItem(attemptKey);
  }, []);
  const before = useMemo(
    () => (attempt === undefined && location.search === '' ? readHistory() : undefined),
    [],
  );
  if (before !== undefined) return <Bench about={before} arrival={undefined} />;
  if (attempt === undefined || answer.kind === 'unknown') return <NothingAsked />;
  if (answer.kind === 'refused') return <Refused attempt={attempt} answer={answer} />;
  return <Bench about={attempt} arrival={{ attempt, code: answer.code }} />;
}

/** The calls and the workbench, whose code is loaded when there is something to show. */
function Bench(props: { readonly about: Omit<KeptHistory, 'steps'>; readonly arrival: Arrival | undefined }) {
  const { applicationId, lob, lesson } = props.about;
  return (
    <Later load={() => import('./member-workbench.tsx')} words="Loading the workbench…">
      {({ MemberWorkbench }) => (
        <MemberWorkbench about={{ applicationId, lob, lesson }} arrival={props.arrival} />
      )}
    </Later>
  );
}

function NothingAsked() {
  return (
    <Page title="No call in progress" lead="Complete a first call in the same browser tab.">
      <p>
        Open one of your <a href="/applications">applications</a> and choose “First call” to start over.
      </p>
    </Page>
  );
}

function Refused(props: {
  readonly attempt: Attempt;
  readonly answer: Extract<Callback, { readonly kind: 'refused' }>;
}) {
  const { error, description } = props.answer;
  return (
    <Page title="The authorization server refused the request">
      <Alert kind="warning" title={error}>
        <p>
          {error === 'access_denied'
            ? 'The member chose not to share. Your application gets this response at its redirect URI. Explain to the member how to try again.'
            : description}
        </p>
      </Alert>
      <p>
        <a href={`/applications/${props.attempt.applicationId}/try`}>Try again</a>
      </p>
    </Page>
  );
}
