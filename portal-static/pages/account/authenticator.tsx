import { useState } from 'preact/hooks';
import type { AuthenticatorView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { CopyButton } from '../../components/secret.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { BackToAccount } from './back-to-account.tsx';
import { useDone } from './use-done.ts';

/**
 * Page where an operator sets up an authenticator app: enters the password, then adds the key to the app, then enters the app's first code.
 */
export default function SetUpAuthenticator() {
  const [made, setMade] = useState<AuthenticatorView>();
  return made === undefined ? <Begin done={setMade} /> : <Enroll made={made} />;
}

function Begin(props: { readonly done: (made: AuthenticatorView) => void }) {
  const form = useForm({
    schema: async () => (await accountSchemas()).passwordRequest,
    send: (body) => call('POST /api/account/authenticator', { body }),
    done: props.done,
  });
  return (
    <Page
      title="Set up an authenticator app"
      lead="You then sign in with a code from an app on your device instead of a text message. An app you set up before no longer works."
    >
      <Form form={form} action="Continue" pending="Creating a key…" beside={<BackToAccount />}>
        <PasswordField form={form} name="password" label="Your password" autocomplete="current-password" />
      </Form>
    </Page>
  );
}

function Enroll({ made }: { readonly made: AuthenticatorView }) {
  const { enrollment, key, uri } = made;
  const done = useDone();
  const form = useForm({
    schema: async () => (await accountSchemas()).codeRequest,
    send: (body) => call('POST /api/account/authenticator/confirm', { body: { enrollment, ...body } }),
    done: () => done('Your authenticator app is set up.'),
  });
  return (
    <Page
      title="Add this portal to your app"
      lead="Complete this within ten minutes. The key is shown only on this page."
    >
      <ol>
        <li>
          In your authenticator app, add an account and choose to enter a setup key.
          <p>
            <code class="keep-lines">{key.replace(/(.{4})(?=.)/g, '$1 ')}</code>{' '}
            <CopyButton value={key} what="setup key" />
          </p>
        </li>
        <li>
          If the app asks, choose “time based”. On a device that has the app,{' '}
          <a href={uri}>open the app with this key</a>.
        </li>
        <li>Enter the code the app shows for this portal.</li>
      </ol>
      <Form form={form} action="Confirm" pending="Checking the code…" beside={<BackToAccount />}>
        <CodeField
          form={form}
          name="code"
          hint="Enter 6 digits. The app shows a new code every 30 seconds."
        />
      </Form>
    </Page>
  );
}
