import { useEffect, useState } from 'preact/hooks';
import type { ApplicationSummary } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { useSession } from '../../app/session.tsx';
import { OpenedCredentials } from '../sandbox/opened-credentials.tsx';
import type { CallCredentials } from './sandbox-document.ts';

/** Credentials of calls from this page: entered by hand, or the key of one of the developer's applications. */
export function CredentialsPanel(props: { readonly onChange: (given: CallCredentials) => void }) {
  const [given, setGiven] = useState<CallCredentials>({ subscriptionKey: '', accessToken: '' });
  const change = (part: Partial<CallCredentials>) => {
    const next = { ...given, ...part };
    setGiven(next);
    props.onChange(next);
  };
  return (
    <section class="reference__credentials" aria-labelledby="credentials">
      <h2 id="credentials">Your credentials</h2>
      <p>
        This page sends the credentials only to the sandbox and deletes them when you reload. Get an access
        token from the <a href="/sandbox">guided first call</a> or from your own application.
      </p>
      <OwnApplications onKey={(subscriptionKey) => change({ subscriptionKey })} />
      <label class="usa-label" for="subscription-key">
        Subscription key (sandbox)
      </label>
      <input
        class="usa-input"
        id="subscription-key"
        autocomplete="off"
        spellcheck={false}
        value={given.subscriptionKey}
        onInput={(event) => change({ subscriptionKey: event.currentTarget.value.trim() })}
      />
      <label class="usa-label" for="access-token">
        Access token (sandbox)
      </label>
      <input
        class="usa-input"
        id="access-token"
        autocomplete="off"
        spellcheck={false}
        value={given.accessToken}
        onInput={(event) => change({ accessToken: event.currentTarget.value.trim() })}
      />
    </section>
  );
}

/** Fills the key in from an application, after the password where it is due. For signed-in developers. */
function OwnApplications(props: { readonly onKey: (key: string) => void }) {
  const { account } = useSession();
  const [applications, setApplications] = useState<readonly ApplicationSummary[]>([]);
  const [chosen, setChosen] = useState('');
  const isDeveloper = account?.role === 'developer' && account.nextStep === 'none';
  useEffect(() => {
    if (!isDeveloper) return;
    void call('GET /api/applications').then((outcome) => {
      if (outcome.ok) setApplications(outcome.value.applications);
    });
  }, [isDeveloper]);
  if (!isDeveloper || applications.length === 0) return null;
  return (
    <>
      <label class="usa-label" for="own-application">
        Use the key of an application
      </label>
      <select
        class="usa-select"
        id="own-application"
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        <option value="">None</option>
        {applications.map(({ applicationId, name }) => (
          <option key={applicationId} value={applicationId}>
            {name}
          </option>
        ))}
      </select>
      {chosen !== '' && (
        <OpenedCredentials key={chosen} applicationId={chosen}>
          {({ subscriptionKeys: [newest] }) => <Filled value={newest?.value ?? ''} onKey={props.onKey} />}
        </OpenedCredentials>
      )}
    </>
  );
}

function Filled(props: { readonly value: string; readonly onKey: (key: string) => void }) {
  useEffect(() => props.onKey(props.value), [props.value]);
  return (
    <p role="status">{props.value === '' ? 'The application has no active key.' : 'The key is filled in.'}</p>
  );
}
