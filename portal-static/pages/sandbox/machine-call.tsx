import { useState } from 'preact/hooks';
import { type LineOfBusiness, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ApplicationView, CredentialsView } from '../../../lambdas/portal-api/views.ts';
import { Alert } from '../../components/alert.tsx';
import { ActButton } from '../applications/parts.tsx';
import { StepView } from './exchange-view.tsx';
import { clientOf, runMachineLesson, type Step } from './lesson.ts';
import { OpenedCredentials } from './opened-credentials.tsx';
import { RadioCards } from './radio-cards.tsx';
import type { Origins } from './try-model.ts';

/** A back-end service's first call: a token of its own, then the metadata of its products. */
export function MachineCall(props: { readonly view: ApplicationView; readonly origins: Origins }) {
  const { view, origins } = props;
  if (view.sandbox.configuration.tokenEndpointAuthMethod === 'private_key_jwt') {
    return (
      <Alert kind="info" title="This application signs with its own key">
        <p>
          Only you hold the key, so send the token request to <code>{origins.token}/token/v2</code> from your
          own program. Your calls appear under Calls within a minute.
        </p>
      </Alert>
    );
  }
  return (
    <OpenedCredentials applicationId={view.applicationId} clientId={view.sandbox.clientId}>
      {(credentials) => <Run view={view} origins={origins} credentials={credentials} />}
    </OpenedCredentials>
  );
}

function Run(props: {
  readonly view: ApplicationView;
  readonly origins: Origins;
  readonly credentials: CredentialsView;
}) {
  const { view, origins, credentials } = props;
  const { linesOfBusiness: lobs, products, tokenEndpointAuthMethod } = view.sandbox.configuration;
  const [lob, setLob] = useState<LineOfBusiness>(lobs[0] ?? 'DSNP');
  const [steps, setSteps] = useState<readonly Step[]>([]);
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
      },
      (step) => setSteps((told) => [...told, step]),
    );
    setBusy(false);
  };
  return (
    <>
      <p>
        Nobody signs in. Your service asks for a token with its own client id and secret, and calls each of
        its products with it. This page does the same for you, and shows each request and answer.
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
