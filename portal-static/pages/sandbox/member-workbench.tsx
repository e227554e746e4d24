/** The calls of an application that a member signed in to: the first call with the code, then the workbench. */

import '../../app/kernel.ts';
import { useEffect, useState } from 'preact/hooks';
import { interfaceFamilies, offers } from '../../../lambdas/catalog/interface-families.ts';
import type {
  AddressesView,
  ApplicationView,
  CredentialsView,
  TestMemberView,
} from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { Alert } from '../../components/alert.tsx';
import { Later } from '../../components/later-part.tsx';
import { Progress } from '../../components/progress.tsx';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { type KeptHistory, readKeptCall } from './kept-history.ts';
import { clientOf, runLesson, type Sign, signerOf } from './lesson.ts';
import { OpenedCredentials } from './opened-credentials.tsx';
import type { BrowserSigningKey } from './signing-key-model.ts';
import { memberTokenActs } from './token-acts.ts';
import { type Attempt, lessons } from './try-model.ts';
import { useHistory } from './use-history.ts';
import { Workbench } from './workbench.tsx';
import { tokenAtHand } from './workbench-model.ts';

/** A code that came with the address, and the authorization request that it answers. */
export interface Arrival {
  readonly attempt: Attempt;
  readonly code: string;
}

/** Shows the calls of an application: after a sign-in with new ones, after a reload those that are kept. */
export function MemberWorkbench(props: {
  readonly about: Omit<KeptHistory, 'steps'>;
  readonly arrival: Arrival | undefined;
}) {
  const { about, arrival } = props;
  const { applicationId, lesson } = about;
  const back = `/applications/${applicationId}`;
  const remote = useRemote(async () => {
    const [view, where, members] = await Promise.all([
      call('GET /api/applications/{applicationId}', { path: { applicationId } }),
      call('GET /api/sandbox/addresses'),
      call('GET /api/sandbox/members'),
    ]);
    if (!view.ok) return view;
    if (!where.ok) return where;
    if (!members.ok) return members;
    const signingKey = await signingKeyOf(view.value);
    return {
      ok: true,
      value: { view: view.value, addresses: where.value, members: members.value.members, signingKey },
    };
  }, applicationId);
  return (
    <Page
      title={lessons[lesson].name}
      over={<a href={back}>Back to the application</a>}
      lead={
        arrival === undefined
          ? 'You made these calls before you reloaded the page. Their secrets are not saved.'
          : 'The member consented, and the authorization server sent the code to this page. Your application makes these calls next.'
      }
      width="wide"
    >
      <Loaded remote={remote} words="Loading the sandbox…">
        {(value) => {
          const isSigned = value.view.sandbox.configuration.tokenEndpointAuthMethod === 'private_key_jwt';
          if (arrival !== undefined && isSigned && value.signingKey === undefined) {
            return <KeyGone back={`${back}/try`} />;
          }
          return <Bench {...value} {...props} />;
        }}
      </Loaded>
    </Page>
  );
}

/** The key in this browser, for an application that signs. */
async function signingKeyOf({ applicationId, sandbox }: ApplicationView) {
  if (sandbox.configuration.tokenEndpointAuthMethod !== 'private_key_jwt') return undefined;
  const { keptSigningKey } = await import('./signing-key-store.ts');
  return await keptSigningKey(applicationId, sandbox.configuration);
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

interface BenchProps {
  readonly about: Omit<KeptHistory, 'steps'>;
  readonly arrival: Arrival | undefined;
  readonly view: ApplicationView;
  readonly addresses: AddressesView;
  readonly members: readonly TestMemberView[];
  readonly signingKey: BrowserSigningKey | undefined;
}

function Bench(props: BenchProps) {
  const { about, arrival, view, addresses, members } = props;
  const { applicationId, lob } = about;
  const origins = addresses.environments.sandbox;
  const { products } = view.sandbox.configuration;
  const history = useHistory(about);
  const [isOver, setOver] = useState(arrival === undefined);
  const announce = useAnnounce();
  const token = isOver ? tokenAtHand(history.steps) : undefined;
  const bench = (credentials?: CredentialsView) => (
    <Workbench
      {...{ applicationId, origins, lob, isOver }}
      steps={history.steps}
      products={products.filter(
        (product) => interfaceFamilies[product].caller !== 'backend' && offers(lob, product),
      )}
      asked={arrival?.attempt.asked ?? readKeptCall()}
      onStep={history.add}
      {...(credentials !== undefined && {
        actsOn: (atHand) => memberTokenActs({ origins, lob, ...clientIn(props, credentials) }, atHand),
      })}
    />
  );
  const base = `/applications/${applicationId}`;
  return (
    <>
      {arrival === undefined ? (
        bench()
      ) : (
        <OpenedCredentials applicationId={applicationId}>
          {(credentials) => (
            <>
              <FirstCalls
                run={async () => {
                  const call = { origins, attempt: arrival.attempt, code: arrival.code, products };
                  await runLesson({ ...call, ...clientIn(props, credentials) }, history.add);
                  setOver(true);
                  announce('All calls are complete.');
                }}
                applicationId={applicationId}
              />
              {bench(credentials)}
            </>
          )}
        </OpenedCredentials>
      )}
      {isOver ? (
        <>
          <Later load={() => import('./fresh-code.tsx')} words="Loading the sign-in…">
            {({ FreshCode }) => (
              <FreshCode {...{ view, addresses, members, lob }} hasToken={token !== undefined} />
            )}
          </Later>
          <div class="form__actions">
            <a class="usa-button usa-button--outline" href={`${base}/try`}>
              Make another call
            </a>
            <a href={base}>Back to the application</a>
            <a href={`${base}/calls`}>View in call log</a>
            {history.steps.length > 0 && (
              <button type="button" class="usa-button usa-button--unstyled" onClick={history.clear}>
                Clear these calls
              </button>
            )}
          </div>
        </>
      ) : (
        <Progress words="Waiting for responses…" />
      )}
    </>
  );
}

/** The client with its credentials, and what signs for it. */
function clientIn({ view, signingKey }: BenchProps, credentials: CredentialsView) {
  const client = clientOf(credentials, view.sandbox.configuration.tokenEndpointAuthMethod);
  const sign: Sign | undefined = signerOf(signingKey, credentials.clientId);
  return { client, sign };
}

/** Makes the calls of the first call once, when the credentials are there. */
function FirstCalls(props: { readonly run: () => Promise<void>; readonly applicationId: string }) {
  useEffect(() => {
    void props.run().then(() => {
      // The pre-flight reads the log of calls: from then on the application counts as tested.
      void call('POST /api/applications/{applicationId}/preflight', {
        path: { applicationId: props.applicationId },
      });
    });
  }, []);
  return null;
}
