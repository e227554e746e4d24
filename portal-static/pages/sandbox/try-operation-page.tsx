/** Page that a link of the API reference leads to: a call in the workbench of an application, or by the demonstration. */

import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import type { ApplicationSummary } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { signInPath } from '../../app/return-path.ts';
import { useSession } from '../../app/session.tsx';
import { Later } from '../../components/later-part.tsx';
import { Progress } from '../../components/progress.tsx';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { type AskedCall, readAskedCall, tryAddress } from './asked-call.ts';
import { CodeBlock } from './code-block.tsx';

/** Opens the call of the address with an application of the reader's own, or runs it by the demonstration. */
export default function TryOperationPage() {
  const { url } = useLocation();
  const asked = readAskedCall(url.slice(url.indexOf('?') + 1));
  const { state, account } = useSession();
  const isDeveloper = account?.role === 'developer' && account.nextStep === 'none';
  return (
    <Page
      title="Try it"
      over={<a href="/reference">API reference</a>}
      lead={
        asked === undefined
          ? 'The guided first call of an application makes each request of the authorization server.'
          : `A call of ${interfaceFamilies[asked.product].name} in the sandbox.`
      }
      width="wide"
    >
      {asked !== undefined && <CodeBlock text={textOf(asked)} label="The call" />}
      {state.kind === 'unknown' ? (
        <Progress words="Loading the page…" />
      ) : isDeveloper ? (
        <OwnApplications asked={asked} />
      ) : (
        <Visitor asked={asked} signIn={signInPath(url)} />
      )}
    </Page>
  );
}

function textOf({ method, path, body }: AskedCall): string {
  return [`${method} ${path}`, ...(body === undefined ? [] : ['', body])].join('\n');
}

/** Leads to the first call of an application with the call: at once where there is only one application. */
function OwnApplications({ asked }: { readonly asked: AskedCall | undefined }) {
  const remote = useRemote(() => call('GET /api/applications'), 'applications');
  return (
    <Loaded remote={remote} words="Loading your applications…">
      {(value) => <Choose asked={asked} applications={value.applications.filter(isCallable)} />}
    </Loaded>
  );
}

function isCallable({ state }: ApplicationSummary): boolean {
  return state !== 'withdrawn' && state !== 'revoked';
}

function Choose(props: {
  readonly asked: AskedCall | undefined;
  readonly applications: readonly ApplicationSummary[];
}) {
  const { asked, applications } = props;
  const { route } = useLocation();
  const addressFor = ({ applicationId }: ApplicationSummary) => {
    const page = `/applications/${applicationId}/try`;
    return asked === undefined ? page : tryAddress(asked, page);
  };
  const [only] = applications;
  const target = applications.length === 1 && only !== undefined ? addressFor(only) : undefined;
  useEffect(() => {
    if (target !== undefined) route(target, true);
  }, [target]);
  if (target !== undefined) return <Progress words="Opening the application…" />;
  if (applications.length === 0) {
    return (
      <>
        <p>The call is made with the credentials of an application. You have none yet.</p>
        <p>
          <a class="usa-button" href="/applications/register">
            Register application
          </a>
        </p>
      </>
    );
  }
  return (
    <section aria-labelledby="choose-application">
      <h2 id="choose-application">Choose the application that makes the call</h2>
      <ul>
        {applications.map((one) => (
          <li key={one.applicationId}>
            <a href={addressFor(one)}>{one.name}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Without an account: the demonstration makes the calls that it can. */
function Visitor({ asked, signIn }: { readonly asked: AskedCall | undefined; readonly signIn: string }) {
  return (
    <>
      {asked !== undefined && (
        <Later load={() => import('../demonstration/demonstrated-call.tsx')} words="Loading the call…">
          {({ DemonstratedCall }) => <DemonstratedCall asked={asked} />}
        </Later>
      )}
      <section class="panel" aria-labelledby="own-application">
        <h2 id="own-application">Make the call with your own application</h2>
        <p>
          Sign in to open the call in your application’s workbench, where you can change it and make it fail.
        </p>
        <div class="form__actions">
          <a class="usa-button" href={signIn}>
            Sign in
          </a>
          <a href="/sign-up">Sign up</a>
        </div>
      </section>
    </>
  );
}
