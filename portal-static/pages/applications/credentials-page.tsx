/** Page that shows and rotates an application's credentials. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import type { ApplicationView, CredentialsView } from '../../../lambdas/portal/api/views.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';
import { Alert, ProblemAlert } from '../../components/alert.tsx';
import { Facts, Tag, Time } from '../../components/display.tsx';
import { Progress } from '../../components/progress.tsx';
import { CopyButton, Secret } from '../../components/secret.tsx';
import { ActProblem } from './act-problem.tsx';
import { ApplicationFrame } from './application-frame.tsx';
import { credentialWords, exportLines, ordinalLabel } from './credentials-model.ts';
import { EnvironmentTabs } from './environment-tabs.tsx';
import { LastUsed } from './last-used.tsx';
import { PasswordAgain } from './password-again.tsx';
import { Rotate } from './rotate.tsx';
import { Stop } from './stop.tsx';
import { useCredentials } from './use-credentials.ts';

/** Page "View Credentials": credentials of one environment at a time. */
export default function CredentialsPage() {
  return (
    <ApplicationFrame
      title="Credentials"
      lead="Keep secrets on your server. Do not put them in an app, a web page or a repository."
    >
      {(view) => (
        <EnvironmentTabs
          view={view}
          notYet="There are no production credentials yet. They are created when you promote the application."
        >
          {(environment) => <Credentials key={environment} view={view} environment={environment} />}
        </EnvironmentTabs>
      )}
    </ApplicationFrame>
  );
}

function Credentials(props: { readonly view: ApplicationView; readonly environment: Environment }) {
  const { view, environment } = props;
  const { state, read } = useCredentials(view.applicationId, environment, view[environment]?.clientId ?? '');
  const opened = useRef(false);
  if (state.kind === 'asking') return <Progress words="Loading credentials…" />;
  if (state.kind === 'password') {
    return (
      <PasswordAgain
        action="View Credentials"
        onOpened={async () => {
          opened.current = true;
          await read();
        }}
      />
    );
  }
  if (state.kind === 'refused') {
    return state.problem.code === 'preflight_failed' ? (
      <ActProblem problem={state.problem} />
    ) : (
      <ProblemAlert problem={state.problem} retry={() => void read()} />
    );
  }
  return (
    <Shown
      credentials={state.credentials}
      application={view}
      focus={opened.current}
      reload={read}
      clientProof={view.sandbox.configuration.tokenEndpointAuthMethod}
    />
  );
}

const clientStates: Readonly<Record<string, string>> = {
  suspended: 'These credentials do not work until the application is approved.',
  revoked: 'These credentials are revoked and no longer work.',
};

function Shown(props: {
  readonly credentials: CredentialsView;
  readonly application: ApplicationView;
  readonly clientProof: string;
  /** Whether to take the focus, because the focused password form was removed. */
  readonly focus: boolean;
  readonly reload: () => Promise<void>;
}) {
  const { credentials, application, reload } = props;
  const { clientId, secrets, subscriptionKeys, machineScope, environment, state } = credentials;
  const waiting = clientStates[state];
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (props.focus) place.current?.focus();
  }, []);
  return (
    <section ref={place} tabIndex={-1} aria-label={`Credentials for ${environment}`}>
      {waiting !== undefined && (
        <Alert kind="info">
          <p>{waiting}</p>
        </Alert>
      )}
      <Facts
        facts={[
          [
            'Client ID',
            <span key="id" class="secret">
              <code class="secret__value">{clientId}</code> <CopyButton value={clientId} what="client ID" />
            </span>,
          ],
          ...(machineScope === undefined
            ? []
            : [
                [
                  'Scope for machine-to-machine tokens',
                  <span key="scope" class="secret">
                    <code class="secret__value">{machineScope}</code>{' '}
                    <CopyButton value={machineScope} what="scope" />
                  </span>,
                ] as const,
              ]),
        ]}
      />
      <p>
        <CopyButton
          value={exportLines(credentials)}
          what="credentials as export lines"
          label="Copy all as export lines"
        />{' '}
        <span class="quiet">For bash, as the commands of Get started use them.</span>
      </p>
      <section aria-labelledby="secrets">
        <h2 id="secrets">Client secret</h2>
        {secrets.length === 0 ? (
          <p class="quiet">{withoutSecret(props.clientProof)}</p>
        ) : (
          <>
            <Values
              what="secret"
              values={secrets}
              {...{ environment, application, reload }}
              lastUsed={(at) => (at === undefined ? 'Not used yet' : <LastUsed at={at} />)}
            />
            <Rotate what="secret" live={secrets.length} {...{ environment, application, reload }} />
          </>
        )}
      </section>
      <section aria-labelledby="keys">
        <h2 id="keys">Subscription key</h2>
        <p>
          Send the key with every call in the header <code>x-api-subscription-key</code>.
        </p>
        <Values
          what="key"
          values={subscriptionKeys}
          {...{ environment, application, reload }}
          lastUsed={(at) => {
            if (at !== undefined) return <LastUsed at={at} />;
            return credentials.keyUsesUnknown === true
              ? 'Not available right now'
              : `Not in the last ${portalLimits.callLogDays} days`;
          }}
        />
        <Rotate what="key" live={subscriptionKeys.length} {...{ environment, application, reload }} />
      </section>
    </section>
  );
}

function withoutSecret(method: string): string {
  return method === 'private_key_jwt'
    ? 'This application signs with its own key and has no secret.'
    : 'This type of application has no secret. PKCE protects it.';
}

function Values(props: {
  readonly what: keyof typeof credentialWords;
  readonly values: CredentialsView['secrets'];
  readonly lastUsed: (at: string | undefined) => ComponentChildren;
  readonly environment: Environment;
  readonly application: ApplicationView;
  readonly reload: () => Promise<void>;
}) {
  const { what, values, lastUsed, environment, application, reload } = props;
  const kind = credentialWords[what].thing;
  const [stopped, setStopped] = useState(false);
  return (
    <>
      <ul class="plain-list" aria-label={`${capital(kind)}s`}>
        {values.map(({ value, createdAt, lastUsedAt, expiresAt }, index) => (
          <li key={createdAt} class="panel">
            <h3>
              {capital(ordinalLabel(kind, index, values.length))}{' '}
              {expiresAt !== undefined && <Tag kind="waiting">Ends soon</Tag>}
            </h3>
            <Secret value={value} what={ordinalLabel(kind, index, values.length)} />
            <Facts
              facts={[
                ['Created', <Time key="created" at={createdAt} />],
                ['Last used', lastUsed(lastUsedAt)],
                [
                  'Expires',
                  expiresAt === undefined ? 'When you rotate it' : <Time key="ends" at={expiresAt} />,
                ],
              ]}
            />
            {index > 0 && (
              <Stop
                lastUsed={lastUsed(lastUsedAt)}
                {...{ what, createdAt, environment, application }}
                stopped={async () => {
                  await reload();
                  setStopped(true);
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {stopped && values.length === 1 && (
        <Alert kind="success" title={`The older ${kind} stops within 30 seconds`} focus>
          <p>The one above stays valid.</p>
        </Alert>
      )}
    </>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
