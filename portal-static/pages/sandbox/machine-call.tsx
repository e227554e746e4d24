/** First calls without a member: a back-end service's, and those of the Provider Directory. */

import '../../app/kernel.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Interface, offers } from '../../../lambdas/catalog/interface-families.ts';
import { type LineOfBusiness, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ApplicationView, CredentialsView } from '../../../lambdas/portal/api/views.ts';
import { ActButton } from '../applications/parts.tsx';
import type { AskedCall } from './asked-call.ts';
import { readKeptCall } from './kept-history.ts';
import { clientOf, type LessonStep, runMachineLesson, runOwnCalls, signerOf } from './lesson.ts';
import { OpenedCredentials } from './opened-credentials.tsx';
import { RadioCards } from './radio-cards.tsx';
import type { BrowserSigningKey } from './signing-key-model.ts';
import { machineTokenActs, type TokenAct } from './token-acts.ts';
import { machineScope, type Origins } from './try-model.ts';
import { useHistory } from './use-history.ts';
import { Workbench } from './workbench.tsx';

/** A back-end service's first call: a token of its own, then a call of each product. */
export function MachineCall(props: {
  readonly view: ApplicationView;
  readonly origins: Origins;
  readonly signingKey: BrowserSigningKey | undefined;
  readonly asked: AskedCall | undefined;
}) {
  const { view, origins, signingKey: key, asked } = props;
  const { linesOfBusiness: lobs, products } = view.sandbox.configuration;
  return (
    <OpenedCredentials applicationId={view.applicationId} clientId={view.sandbox.clientId}>
      {(credentials: CredentialsView) => (
        <Run
          {...{ lobs, origins, products, asked }}
          applicationId={view.applicationId}
          action="Get a token and call"
          actsOn={() => machineTokenActs(clientIn(props, credentials))}
          send={(lob, tell) => runMachineLesson({ ...clientIn(props, credentials), lob, products }, tell)}
        >
          No member signs in. Your service requests a token with{' '}
          {key === undefined ? 'its client ID and secret' : 'a signed assertion'}, and calls each of its
          products. This page makes the same calls and shows each request and response.
        </Run>
      )}
    </OpenedCredentials>
  );
}

/** The client with its credentials, what signs for it, and the scope that it asks for. */
function clientIn(
  { view, origins, signingKey }: Parameters<typeof MachineCall>[0],
  credentials: CredentialsView,
) {
  const { products, tokenEndpointAuthMethod } = view.sandbox.configuration;
  return {
    origins,
    client: clientOf(credentials, tokenEndpointAuthMethod),
    sign: signerOf(signingKey, credentials.clientId),
    scope: machineScope(credentials.machineScope ?? `${origins.resourceId}/.default`, products),
  };
}

/** Calls of the Provider Directory, which needs no member and no token. */
export function DirectoryCall({
  view,
  origins,
  asked,
}: {
  readonly view: ApplicationView;
  readonly origins: Origins;
  readonly asked: AskedCall | undefined;
}) {
  const { linesOfBusiness: lobs, tokenEndpointAuthMethod } = view.sandbox.configuration;
  return (
    <OpenedCredentials applicationId={view.applicationId} clientId={view.sandbox.clientId}>
      {(credentials: CredentialsView) => (
        <Run
          lobs={lobs.filter((lob) => offers(lob, 'provider-directory'))}
          {...{ origins, asked }}
          applicationId={view.applicationId}
          products={['provider-directory']}
          action="Call the Provider Directory"
          send={(lob, tell) =>
            runOwnCalls(
              {
                origins,
                lob,
                products: ['provider-directory'],
                credentials: clientOf(credentials, tokenEndpointAuthMethod),
              },
              tell,
            )
          }
        >
          The Provider Directory has no member data, so no member signs in and the call needs no token. This
          page makes the call with your subscription key and shows the request and response.
        </Run>
      )}
    </OpenedCredentials>
  );
}

function Run(props: {
  readonly applicationId: string;
  readonly origins: Origins;
  readonly products: readonly Interface[];
  readonly lobs: readonly LineOfBusiness[];
  readonly asked: AskedCall | undefined;
  readonly action: string;
  readonly send: (lob: LineOfBusiness, tell: (step: LessonStep) => void) => Promise<void>;
  /** Acts on the service's token; absent where the calls have none. */
  readonly actsOn?: () => readonly TokenAct[];
  readonly children: ComponentChildren;
}) {
  const { applicationId, origins, products, lobs, asked, action, send, actsOn, children } = props;
  const [lob, setLob] = useState<LineOfBusiness>(lobs[0] ?? 'DSNP');
  const history = useHistory({ applicationId, lob, lesson: 'plain' });
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await send(lob, history.add);
    setBusy(false);
  };
  return (
    <>
      <p>{children}</p>
      <RadioCards
        name="lob"
        legend="1. Choose a line of business"
        value={lob}
        choices={lobs.map((one) => ({ value: one, label: one, about: linesOfBusiness[one].name }))}
        onChoose={setLob}
      />
      <div class="form__actions">
        <ActButton pending={busy} onAct={() => void run()}>
          {action}
        </ActButton>
        <span role="status">{busy ? 'Calling…' : ''}</span>
      </div>
      <Workbench
        {...{ applicationId, origins, lob }}
        asked={asked ?? readKeptCall()}
        steps={history.steps}
        products={products.filter((product) => offers(lob, product))}
        isOver={!busy}
        onStep={history.add}
        {...(actsOn !== undefined && { actsOn })}
      />
      {history.steps.length > 0 && !busy && (
        <button type="button" class="usa-button usa-button--unstyled" onClick={history.clear}>
          Clear these calls
        </button>
      )}
    </>
  );
}
