import { useState } from 'preact/hooks';
import { type LineOfBusiness, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ApplicationView, CredentialsView } from '../../../lambdas/portal/api/views.ts';
import { ActButton } from '../applications/parts.tsx';
import type { Remote } from '../applications/remote.tsx';
import { StepView } from './exchange-view.tsx';
import { clientOf, type LessonStep, runMachineLesson, signerOf } from './lesson.ts';
import { OpenedCredentials } from './opened-credentials.tsx';
import { RadioCards } from './radio-cards.tsx';
import { WithSigningKey } from './signing-key.tsx';
import type { BrowserSigningKey } from './signing-key-model.ts';
import type { Origins } from './try-model.ts';

/** A back-end service's first call: a token of its own, then the metadata of its products. */
export function MachineCall(props: {
  readonly view: ApplicationView;
  readonly remote: Remote<ApplicationView>;
  readonly origins: Origins;
}) {
  const { view, remote, origins } = props;
  const opened = (key?: BrowserSigningKey) => (
    <OpenedCredentials applicationId={view.applicationId} clientId={view.sandbox.clientId}>
      {(credentials) => <Run {...{ view, origins, credentials }} signingKey={key} />}
    </OpenedCredentials>
  );
  if (view.sandbox.configuration.tokenEndpointAuthMethod !== 'private_key_jwt') return opened();
  return (
    <WithSigningKey view={view} remote={remote}>
      {opened}
    </WithSigningKey>
  );
}

function Run(props: {
  readonly view: ApplicationView;
  readonly origins: Origins;
  readonly credentials: CredentialsView;
  readonly signingKey: BrowserSigningKey | undefined;
}) {
  const { view, origins, credentials, signingKey } = props;
  const { linesOfBusiness: lobs, products, tokenEndpointAuthMethod } = view.sandbox.configuration;
  const [lob, setLob] = useState<LineOfBusiness>(lobs[0] ?? 'DSNP');
  const [steps, setSteps] = useState<readonly LessonStep[]>([]);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setSteps([]);
    await runMachineLesson(
      {
        origins,
        client: clientOf(credentials, tokenEndpointAuthMethod),
        scope: credentials.machineScope ?? `${origins.resourceId}/.default`,
        lob,
        products,
        sign: signerOf(signingKey, credentials.clientId),
      },
      (step) => setSteps((told) => [...told, step]),
    );
    setBusy(false);
  };
  return (
    <>
      <p>
        No member signs in. Your service requests a token with{' '}
        {signingKey === undefined ? 'its client ID and secret' : 'a signed assertion'}, and calls each of its
        products with the token. This page makes the same calls and shows each request and response.
      </p>
      <RadioCards
        name="lob"
        legend="1. Choose a line of business"
        value={lob}
        choices={lobs.map((one) => ({ value: one, label: one, about: linesOfBusiness[one].name }))}
        onChoose={setLob}
      />
      <div class="form__actions">
        <ActButton pending={busy} onAct={() => void run()}>
          Get a token and call
        </ActButton>
        <span role="status">{busy ? 'Calling…' : ''}</span>
      </div>
      <ol class="exchanges">
        {steps.map((step, index) => (
          <StepView key={step.exchange.call.title} step={step} number={index + 1} />
        ))}
      </ol>
    </>
  );
}
