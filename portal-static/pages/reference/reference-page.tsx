import { useEffect, useRef, useState } from 'preact/hooks';
import type { AddressesView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { Alert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';
import { callsLayout, callsPlugin } from './calls-layout.ts';
import { CredentialsPanel } from './credentials-panel.tsx';
import { followColorScheme, mendSwaggerUi } from './mend-swagger-ui.ts';
import { type CallCredentials, sandboxDocument, withCredentials } from './sandbox-document.ts';
import { loadSwaggerUi } from './swagger-ui.ts';

type Progression = 'loading' | 'shown' | 'failed';

/** Every call of the member-facing interfaces, and a way to try it against the sandbox. */
export default function ReferencePage() {
  const place = useRef<HTMLDivElement>(null);
  const credentials = useRef<CallCredentials>({ subscriptionKey: '', accessToken: '' });
  const [state, setState] = useState<Progression>('loading');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    setState('loading');
    const shown = () => setState('shown');
    if (place.current === null) return;
    const stopMending = mendSwaggerUi(place.current);
    const stopFollowing = followColorScheme();
    show(place.current, () => credentials.current, shown).catch(() => setState('failed'));
    return () => {
      stopMending();
      stopFollowing();
    };
  }, [attempt]);
  return (
    <Page
      title="API reference"
      lead="All calls with parameters and responses. Calls from this page go to the sandbox."
      width="wide"
    >
      <p>
        Download: <a href="/docs/openapi.json">OpenAPI document</a>,{' '}
        <a href="/docs/postman-collection.json">Postman collection</a>. Without JavaScript, read the{' '}
        <a href="/docs/interfaces">documentation</a>.
      </p>
      <CredentialsPanel onChange={(given) => Object.assign(credentials, { current: given })} />
      <h2 id="calls">Calls</h2>
      {state === 'loading' && <Progress words="Loading the reference…" />}
      {state === 'failed' && (
        <Alert kind="error" title="The reference could not be loaded">
          <p>Check your connection, then try again.</p>
          <button type="button" class="usa-button" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
        </Alert>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen scrolls by keyboard too */}
      <section class="reference" ref={place} tabIndex={0} aria-labelledby="calls" />
    </Page>
  );
}

async function show(
  domNode: HTMLElement,
  credentials: () => CallCredentials,
  onComplete: () => void,
): Promise<void> {
  const [ui, response, addresses] = await Promise.all([
    loadSwaggerUi(),
    fetch('/docs/openapi.json'),
    call('GET /api/sandbox/addresses'),
  ]);
  if (!response.ok || !addresses.ok) throw new Error('the document or the addresses did not come');
  const where: AddressesView = addresses.value;
  ui({
    domNode,
    spec: sandboxDocument(await response.json(), where),
    layout: callsLayout,
    plugins: [callsPlugin],
    deepLinking: false,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    // Disables Swagger UI's call to an online validator.
    validatorUrl: null,
    requestInterceptor: (request) => withCredentials(request, credentials(), where),
    onComplete,
  });
}
