/** Redirect page of the guided first call. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { interfaceFamilies, offers } from '../../../lambdas/catalog/interface-families.ts';
import type { CredentialsView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { Alert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { StepView } from './exchange-view.tsx';
import { keepResult, type Result, readResult } from './kept-result.ts';
import { clientOf, type LessonStep, runLesson, signerOf } from './lesson.ts';
import { OpenedCredentials } from './opened-credentials.tsx';
import type { BrowserSigningKey } from './signing-key-model.ts';
import { keptSigningKey } from './signing-key-store.ts';
import { type Attempt, attemptKey, type Callback, lessons, readAttempt, readCallback } from './try-model.ts';
import { Workbench } from './workbench.tsx';

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
    () => (attempt === undefined && location.search === '' ? readResult() : undefined),
    [],
  );
  if (before !== undefined) return <Before result={before} />;
  if (attempt === undefined || answer.kind === 'unknown') return <NothingAsked />;
  if (answer.kind === 'refused') return <Refused attempt={attempt} answer={answer} />;
  return <Exchanges attempt={attempt} code={answer.code} />;
}

/** The calls of the last visit, after a reload: nothing is sent again. */
function Before({ result: { applicationId, lesson, steps } }: { readonly result: Result }) {
  const base = `/applications/${applicationId}`;
  return (
    <Page
      title={lessons[lesson].name}
      over={<a href={base}>Back to the application</a>}
      lead="You made these calls before you reloaded the page. Their secrets are not saved."
      width="wide"
    >
      <ol class="exchanges">
        {steps.map((step, index) => (
          <StepView key={index} step={step} number={index + 1} kept />
        ))}
      </ol>
      <div class="form__actions">
        <a class="usa-button" href={`${base}/try`}>
          Make another call
        </a>
        <a href={`${base}/calls`}>View in call log</a>
      </div>
    </Page>
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

function Exchanges(props: { readonly attempt: Attempt; readonly code: string }) {
  const { attempt, code } = props;
  const path = { applicationId: attempt.applicationId };
  const back = `/applications/${attempt.applicationId}`;
  const remote = useRemote(async () => {
    const [view, where] = await Promise.all([
      call('GET /api/applications/{applicationId}', { path }),
      call('GET /api/sandbox/addresses'),
    ]);
    if (!view.ok) return view;
    if (!where.ok) return where;
    const key = await keptSigningKey(attempt.applicationId, view.value.sandbox.configuration);
    return { ok: true, value: { view: view.value, where: where.value, key } };
  }, attempt.applicationId);
  return (
    <Page
      title={lessons[attempt.lesson].name}
      over={<a href={back}>Back to the application</a>}
      lead="The member consented, and the authorization server sent the code to this page. Your application makes these calls next."
      width="wide"
    >
      <Loaded remote={remote} words="Loading the sandbox…">
        {({ view, where, key }) => {
          const { tokenEndpointAuthMethod: method, products } = view.sandbox.configuration;
          const signingKey = method === 'private_key_jwt' ? key : undefined;
          if (method === 'private_key_jwt' && key === undefined) return <KeyGone back={`${back}/try`} />;
          return (
            <OpenedCredentials applicationId={attempt.applicationId}>
              {(credentials) => (
                <Run
                  origins={where.environments.sandbox}
                  {...{ attempt, code, credentials, method, products, signingKey }}
                />
              )}
            </OpenedCredentials>
          );
        }}
      </Loaded>
    </Page>
  );
}

function KeyGone(props: { readonly back: string }) {
  return (
    <Alert kind="warning" title="The signing key is no longer in this browser">
      <p>
        <a href={props.back}>Start over</a> with a new one.
      </p>
    </Alert>
  );
}

function Run(props: {
  readonly origins: Parameters<typeof runLesson>[0]['origins'];
  readonly method: Parameters<typeof clientOf>[1];
  readonly products: Parameters<typeof runLesson>[0]['products'];
  readonly attempt: Attempt;
  readonly code: string;
  readonly credentials: CredentialsView;
  readonly signingKey: BrowserSigningKey | undefined;
}) {
  const { origins, attempt, code, credentials, method, products, signingKey } = props;
  const [steps, setSteps] = useState<readonly LessonStep[]>([]);
  const [done, setDone] = useState(false);
  const announce = useAnnounce();
  const made = useRef<LessonStep[]>([]);
  const tell = (step: LessonStep) => {
    made.current.push(step);
    setSteps([...made.current]);
    keepResult(attempt, made.current);
  };
  useEffect(() => {
    const client = clientOf(credentials, method);
    const sign = signerOf(signingKey, credentials.clientId);
    void runLesson({ origins, attempt, client, products, code, sign }, tell).then(() => {
      setDone(true);
      // The pre-flight reads the log of calls: from then on the application counts as tested.
      void call('POST /api/applications/{applicationId}/preflight', {
        path: { applicationId: attempt.applicationId },
      });
      announce('All calls are complete.');
    });
  }, []);
  const base = `/applications/${attempt.applicationId}`;
  return (
    <>
      <Workbench
        {...{ origins, steps }}
        products={products.filter(
          (product) => interfaceFamilies[product].caller !== 'backend' && offers(attempt.lob, product),
        )}
        lob={attempt.lob}
        asked={attempt.asked}
        isOver={done}
        onStep={tell}
      />
      {done ? (
        <div class="form__actions">
          <a class="usa-button" href={`${base}/try`}>
            Make another call
          </a>
          <a href={base}>Back to the application</a>
          <a href={`${base}/calls`}>View in call log</a>
        </div>
      ) : (
        <Progress words="Waiting for responses…" />
      )}
    </>
  );
}
