/** First calls without a member: a back-end service's, and those of the Provider Directory. */

import '../../app/kernel.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Interface, offers } from '../../../lambdas/catalog/interface-families.ts';
import { type LineOfBusiness, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ApplicationView, CredentialsView } from '../../../lambdas/portal/api/views.ts';
import { ActButton } from '../applications/parts.tsx';
import type { AskedCall } from './asked-call.ts';
import { clientOf, type LessonStep, runMachineLesson, runOwnCalls, signerOf } from './lesson.ts';
import { OpenedCredentials } from './opened-credentials.tsx';
import { RadioCards } from './radio-cards.tsx';
import type { BrowserSigningKey } from './signing-key-model.ts';
import type { Origins } from './try-model.ts';
import { Workbench } from './workbench.tsx';

/** A back-end service's first call: a token of its own, then a call of each product. */
export function MachineCall(props: {
  readonly view: ApplicationView;
  readonly origins: Origins;
  readonly signingKey: BrowserSigningKey | undefined;
  readonly asked: AskedCall | undefined;
}) {
  const { view, origins, signingKey: key, asked } = props;
  const { linesOfBusiness: lobs, products, tokenEndpointAuthMethod } = view.sandbox.configuration;
  return (
    <OpenedCredentials applicationId={view.applicationId} clientId={view.sandbox.clientId}>
      {(credentials: CredentialsView) => (
        <Run
          {...{ lobs, origins, products, asked }}
          action="Get a token and call"
          send={(lob, tell) =>
            runMachineLesson(
              {
                origins,
                client: clientOf(credentials, tokenEndpointAuthMethod),
                scope: credentials.machineScope ?? `${origins.resourceId}/.default`,
                lob,
                products,
                sign: signerOf(key, credentials.clientId),
              },
              tell,
            )
          }
        >
          No member signs in. Your service requests a token with{' '}
          {key === undefined ? 'its client ID and secret' : 'a signed assertion'}, and calls each of its
          products. This page makes the same calls and shows each request and response.
        </Run>
      )}
    </OpenedCredentials>
  );
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
  readonly origins: Origins;
  readonly products: readonly Interface[];
  readonly lobs: readonly LineOfBusiness[];
  readonly asked: AskedCall | undefined;
  readonly action: string;
  readonly send: (lob: LineOfBusiness, tell: (step: LessonStep) => void) => Promise<void>;
  readonly children: ComponentChildren;
}) {
  const { origins, products, lobs, asked, action, send, children } = props;
  const [lob, setLob] = useState<LineOfBusiness>(lobs[0] ?? 'DSNP');
  const [steps, setSteps] = useState<readonly LessonStep[]>([]);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setSteps([]);
    await send(lob, (step) => setSteps((told) => [...told, step]));
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
        {...{ origins, lob, asked, steps }}
        products={products.filter((product) => offers(lob, product))}
        isOver={!busy}
        onStep={(step) => setSteps((told) => [...told, step])}
      />
    </>
  );
}
