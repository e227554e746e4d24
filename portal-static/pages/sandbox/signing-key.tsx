import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Alert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';
import { CopyButton } from '../../components/secret.tsx';
import { ActProblem } from '../applications/act-problem.tsx';
import { ActButton } from '../applications/parts.tsx';
import { type Remote, useAct } from '../applications/remote.tsx';
import { CodeBlock } from './exchange-view.tsx';
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

/** Sets up a key in this browser, and registers it, before the calls of an application that signs with its own key. */
export function WithSigningKey(
  props: ApplicationProps & { readonly children: (key: BrowserSigningKey) => ComponentChildren },
) {
  const { view, remote } = props;
  const [key, setKey] = useState<BrowserSigningKey | 'looking' | 'none'>('looking');
  /** The developer says that the key is among those that are published. */
  const [published, setPublished] = useState(false);
  useEffect(() => {
    const { applicationId, sandbox } = view;
    void keptSigningKey(applicationId, sandbox.configuration).then((kept) => setKey(kept ?? 'none'));
  }, [view.applicationId]);
  const known = typeof key === 'string' ? key : keyRegistrationState(view.sandbox.configuration, key);
  const isReady = known === 'registered' || (known === 'published' && published);
  const stage = isReady ? 'ready' : known;
  const place = useFocusAfter(stage);
  if (key === 'looking') return <Progress words="Looking for a key in this browser…" />;
  const forget = async () => {
    if (key !== 'none') await forgetSigningKey(key);
    setPublished(false);
    setKey('none');
  };
  return (
    <section ref={place} tabIndex={-1} aria-label="The key to sign with">
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
            Signs with the key <code class="address">{key.publicJwk.kid}</code> of this browser ({key.alg}).{' '}
            <ForgetButton onForget={() => void forget()} />
          </p>
          {props.children(key)}
        </>
      )}
    </section>
  );
}

/** Moves the focus to the next stage, because the control that led there is removed. */
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
  no_json: 'This file is no JSON. Choose a private key as a JWK (RFC 7517), like {"kty":"EC","d":"…",…}.',
  no_private_key:
    'There is only a public key in this file. Choose the one your program signs with: it has a member “d”.',
  unknown_kind:
    'This key is not one the sandbox takes. Choose one of RSA (2048 bits or more), P-256 or P-384.',
};

function ChooseKey(props: {
  readonly view: ApplicationView;
  readonly onKey: (key: BrowserSigningKey) => void;
}) {
  const { applicationId } = props.view;
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const announce = useAnnounce();
  const keep = async (key: BrowserSigningKey) => {
    try {
      await keepSigningKey(key, applicationId);
      announce('The key is in this browser.');
      props.onKey(key);
    } catch {
      setProblem('This browser keeps no keys, as in some private windows. Try it in an ordinary window.');
    }
  };
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    setProblem(undefined);
    const key = await readSigningKey(await file.text());
    if (typeof key === 'string') setProblem(fileProblems[key]);
    else await keep(key);
  };
  return (
    <>
      <p>
        This application has no secret: it signs each token request with a key of its own (
        <code>private_key_jwt</code>). To make the calls here, this browser needs a key to sign with. Its
        private part stays in this browser, where not even this page can read it, and is never sent.
      </p>
      {problem !== undefined && (
        <Alert kind="error">
          <p>{problem}</p>
        </Alert>
      )}
      <div class="columns">
        <section class="panel" aria-labelledby={`${id}-make`}>
          <h2 id={`${id}-make`}>Make a key here</h2>
          <p>The quickest way to a first call. You register its public part in the next step.</p>
          <ActButton pending={false} onAct={() => void makeSigningKey().then(keep)}>
            Make a key pair
          </ActButton>
        </section>
        <section class="panel" aria-labelledby={`${id}-own`}>
          <h2 id={`${id}-own`}>Use your program’s key</h2>
          <label class="usa-label" for={`${id}-file`}>
            Private key
          </label>
          <p class="usa-hint" id={`${id}-hint`}>
            A JWK file, RSA, P-256 or P-384. Choose a key of the sandbox, not one of production.
          </p>
          <input
            class="usa-file"
            type="file"
            id={`${id}-file`}
            aria-describedby={`${id}-hint`}
            accept=".json,.jwk,.jwks,application/json"
            onChange={(event) => void open(event.currentTarget.files?.[0])}
          />
        </section>
      </div>
    </>
  );
}

/** The public part, and the ways to make the sandbox know it. */
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
        The key is in this browser. The sandbox has to know its public part to verify what it signs. A
        promotion copies the key set with the other values: put the keys of your own program into the
        production values then.
      </p>
      <CodeBlock text={text} label="The public key as a JWK Set" />
      <p>
        <CopyButton value={text} what="the public key" />
      </p>
      <Published uri={configuration.jwksUri} onPublished={props.onPublished} />
      <div class="form__actions">
        <ActButton pending={busy} onAct={() => void register()}>
          Register it in the sandbox
        </ActButton>
        <a href={`/applications/${view.applicationId}/edit/sandbox#jwks`}>Edit the key set by hand</a>
        <ForgetButton onForget={props.onForget} />
      </div>
    </section>
  );
}

function Published(props: { readonly uri: string | undefined; readonly onPublished: () => void }) {
  if (props.uri === undefined) return null;
  return (
    <Alert kind="info" title="Your keys are published at an address of yours">
      <p>
        The sandbox reads them from <code class="address">{props.uri}</code>. Is this key published there?
        Then there is nothing to register; the sandbox looks for a new key once a minute. Registering it here
        takes the place of the address, in the sandbox only.
      </p>
      <button type="button" class="usa-button usa-button--outline" onClick={() => props.onPublished()}>
        It is published there
      </button>
    </Alert>
  );
}
