/** Part of the guided first call: sets up a signing key in the browser for an application that uses `private_key_jwt`. */

import '../../app/kernel.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Alert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';
import { CopyButton } from '../../components/secret.tsx';
import { ActProblem } from '../applications/act-problem.tsx';
import { ActButton } from '../applications/parts.tsx';
import { type Remote, useAct } from '../applications/remote.tsx';
import { CodeBlock } from './code-block.tsx';
import {
  type BrowserSigningKey,
  type KeyFileProblem,
  keyRegistrationState,
  makeSigningKey,
  readSigningKey,
  withKey,
} from './signing-key-model.ts';
import { forgetSigningKey, keepSigningKey, keptSigningKey } from './signing-key-store.ts';

interface ApplicationProps {
  readonly view: ApplicationView;
  readonly remote: Remote<ApplicationView>;
}

/** Sets up and registers a key in this browser, then renders the calls of an application that uses `private_key_jwt`. */
export function WithSigningKey(
  props: ApplicationProps & { readonly children: (key: BrowserSigningKey) => ComponentChildren },
) {
  const { view, remote } = props;
  const [key, setKey] = useState<BrowserSigningKey | 'looking' | 'none'>('looking');
  /** Whether the developer has confirmed that the application publishes this key. */
  const [published, setPublished] = useState(false);
  useEffect(() => {
    const { applicationId, sandbox } = view;
    void keptSigningKey(applicationId, sandbox.configuration).then((kept) => setKey(kept ?? 'none'));
  }, [view.applicationId]);
  const known = typeof key === 'string' ? key : keyRegistrationState(view.sandbox.configuration, key);
  const isReady = known === 'registered' || (known === 'published' && published);
  const stage = isReady ? 'ready' : known;
  const place = useFocusAfter(stage);
  if (key === 'looking') return <Progress words="Loading the signing key…" />;
  const forget = async () => {
    if (key !== 'none') await forgetSigningKey(key);
    setPublished(false);
    setKey('none');
  };
  return (
    <section ref={place} tabIndex={-1} aria-label="Signing key">
      {key === 'none' && <ChooseKey view={view} onKey={setKey} />}
      {key !== 'none' && !isReady && (
        <Register
          {...{ view, remote }}
          signingKey={key}
          onPublished={() => setPublished(true)}
          onForget={() => void forget()}
        />
      )}
      {key !== 'none' && isReady && (
        <>
          <p>
            The page signs with the key <code class="address">{key.publicJwk.kid}</code> in this browser (
            {key.alg}). <ForgetButton onForget={() => void forget()} />
          </p>
          {props.children(key)}
        </>
      )}
    </section>
  );
}

/** Moves the focus to the next stage, because the control that led to it was removed. */
function useFocusAfter(stage: string) {
  const place = useRef<HTMLElement>(null);
  const before = useRef(stage);
  useEffect(() => {
    if (before.current !== stage && before.current !== 'looking') place.current?.focus();
    before.current = stage;
  }, [stage]);
  return place;
}

function ForgetButton(props: { readonly onForget: () => void }) {
  return (
    <button type="button" class="usa-button usa-button--unstyled" onClick={() => props.onForget()}>
      Use another key
    </button>
  );
}

const fileProblems: Readonly<Record<KeyFileProblem, string>> = {
  no_key:
    'This is no key. Enter a private key as a PEM that begins with -----BEGIN PRIVATE KEY-----, or as a JWK (RFC 7517), like {"kty":"EC","d":"…",…}.',
  no_private_key:
    'This is only a public key. Enter the private key your application signs with. A JWK of it has the member “d”.',
  other_pem:
    'Browsers read a PEM only in PKCS #8 without a password, which begins with -----BEGIN PRIVATE KEY-----. Convert the key with “openssl pkcs8 -topk8 -nocrypt -in key.pem”, and enter the result.',
  unknown_kind:
    'The sandbox does not accept this type of key. Choose an RSA key of 2048 bits or more, or a P-256 or P-384 key.',
};

function ChooseKey(props: {
  readonly view: ApplicationView;
  readonly onKey: (key: BrowserSigningKey) => void;
}) {
  const { applicationId } = props.view;
  const id = useId();
  const [problem, setProblem] = useState<string>();
  /** Not in the state, so that the key is nowhere but in its field. */
  const pasted = useRef<HTMLTextAreaElement>(null);
  const announce = useAnnounce();
  const keep = async (key: BrowserSigningKey) => {
    try {
      await keepSigningKey(key, applicationId);
      announce('The key is in this browser.');
      props.onKey(key);
    } catch {
      setProblem(
        'This browser cannot store keys, which is usual in private windows. Try again in a regular window.',
      );
    }
  };
  const read = async (text: string) => {
    setProblem(undefined);
    const key = await readSigningKey(text);
    if (typeof key === 'string') setProblem(fileProblems[key]);
    else await keep(key);
  };
  return (
    <>
      <p>
        This application has no secret. It signs each token request with its own key (
        <code>private_key_jwt</code>). To make the calls on this page, the browser needs a signing key. The
        private key stays in this browser. This page cannot read or send it.
      </p>
      {problem !== undefined && (
        <Alert kind="error">
          <p>{problem}</p>
        </Alert>
      )}
      <div class="columns">
        <section class="panel" aria-labelledby={`${id}-make`}>
          <h2 id={`${id}-make`}>Create a key in this browser</h2>
          <p>The fastest way to make a first call. You register the public key in the next step.</p>
          <ActButton pending={false} onAct={() => void makeSigningKey().then(keep)}>
            Create key pair
          </ActButton>
        </section>
        <section class="panel" aria-labelledby={`${id}-own`}>
          <h2 id={`${id}-own`}>Use your application’s key</h2>
          <p id={`${id}-hint`}>
            A PEM (PKCS #8) or a JWK, with an RSA, P-256 or P-384 key. Use a sandbox key, not a production
            key.
          </p>
          <label class="usa-label" for={`${id}-file`}>
            Private key as a file
          </label>
          <input
            class="usa-file"
            type="file"
            id={`${id}-file`}
            aria-describedby={`${id}-hint`}
            accept=".pem,.key,.json,.jwk,.jwks,application/json"
            onChange={(event) => void event.currentTarget.files?.[0]?.text().then(read)}
          />
          <label class="usa-label" for={`${id}-text`}>
            Or paste it
          </label>
          <textarea
            class="usa-textarea workbench__body"
            id={`${id}-text`}
            ref={pasted}
            aria-describedby={`${id}-hint`}
            spellcheck={false}
            autocapitalize="none"
            autocomplete="off"
          />
          <ActButton quiet pending={false} onAct={() => void read(pasted.current?.value ?? '')}>
            Use this key
          </ActButton>
        </section>
      </div>
    </>
  );
}

/** Shows the public key, and the ways to register it in the sandbox. */
function Register(
  props: ApplicationProps & {
    readonly signingKey: BrowserSigningKey;
    readonly onPublished: () => void;
    readonly onForget: () => void;
  },
) {
  const { view, remote, signingKey } = props;
  const { configuration } = view.sandbox;
  const { run, busy, problem } = useAct();
  const announce = useAnnounce();
  const text = JSON.stringify({ keys: [signingKey.publicJwk] }, null, 2);
  const register = async () => {
    const outcome = await run(() =>
      call('PUT /api/applications/{applicationId}/sandbox', {
        path: { applicationId: view.applicationId },
        body: { version: view.version, configuration: withKey(configuration, signingKey) },
      }),
    );
    if (outcome?.ok === true) {
      announce('The key is registered in the sandbox.');
      remote.replace(outcome.value);
    } else if (outcome?.problem.code === 'stale_version') remote.reload();
  };
  return (
    <section class="panel" aria-labelledby="register-key">
      <h2 id="register-key">Register the public key</h2>
      {problem !== undefined && <ActProblem problem={problem} />}
      <p>
        The key is in this browser. Register the public key, so that the sandbox can verify signatures. When
        you promote the application, the key set is copied with the other values. Replace it with your
        application’s own keys in production.
      </p>
      <CodeBlock text={text} label="The public key as a JWK Set" />
      <p>
        <CopyButton value={text} what="the public key" />
      </p>
      <Published uri={configuration.jwksUri} onPublished={props.onPublished} />
      <div class="form__actions">
        <ActButton pending={busy} onAct={() => void register()}>
          Register in sandbox
        </ActButton>
        <a href={`/applications/${view.applicationId}/edit/sandbox#jwks`}>Edit key set manually</a>
        <ForgetButton onForget={props.onForget} />
      </div>
    </section>
  );
}

function Published(props: { readonly uri: string | undefined; readonly onPublished: () => void }) {
  if (props.uri === undefined) return null;
  return (
    <Alert kind="info" title="You publish your keys at a JWKS URI">
      <p>
        The sandbox reads your keys from <code class="address">{props.uri}</code>. If this key is published
        there, you do not need to register it. The sandbox checks for new keys once a minute. If you register
        the key here, it replaces the address, only in the sandbox.
      </p>
      <button type="button" class="usa-button usa-button--outline" onClick={() => props.onPublished()}>
        The key is published
      </button>
    </Alert>
  );
}
