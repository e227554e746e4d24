/** Pages of a forgotten password: request a code, then set a new password. */

import { useState } from 'preact/hooks';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { Alert } from '../../components/alert.tsx';
import { BotCheckStatus, useBotCheck } from '../../components/bot-check.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { EmailField } from '../../components/text-field.tsx';
import { accountSchemas } from '../../forms/account-schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { NewPassword } from './sign-up-parts.tsx';

/** Page that requests a code and then sets a new password with it. */
export default function PasswordReset() {
  const [email, setEmail] = useState<string>();
  const [done, setDone] = useState(false);
  if (done) return <Changed />;
  return email === undefined ? (
    <AskForCode sent={setEmail} />
  ) : (
    <SetPassword email={email} done={() => setDone(true)} again={() => setEmail(undefined)} />
  );
}

function AskForCode(props: { readonly sent: (email: string) => void }) {
  const check = useBotCheck();
  const form = useForm({
    schema: async () => (await accountSchemas()).passwordResetRequest,
    draft: 'password-reset',
    botCheck: check,
    send: async (body) => {
      const outcome = await call('POST /api/password-reset', { body });
      return outcome.ok ? { ok: true, value: body.email } : outcome;
    },
    done: (address) => props.sent(address),
  });
  return (
    <Page title="Set a new password" lead="We send a code to your e-mail address.">
      <Form form={form} action="Send the code" pending="Sending the code…">
        <EmailField form={form} name="email" label="E-mail address" />
        <BotCheckStatus check={check} />
      </Form>
      <ul class="page__links">
        <li>
          <a href="/sign-in">Back to sign-in</a>
        </li>
      </ul>
    </Page>
  );
}

function SetPassword(props: {
  readonly email: string;
  readonly done: () => void;
  readonly again: () => void;
}) {
  const form = useForm({
    schema: async () => (await accountSchemas()).passwordResetConfirmation,
    initial: { email: props.email },
    send: (body) => call('POST /api/password-reset/confirm', { body }),
    done: () => props.done(),
  });
  return (
    <Page
      title="Enter the code and your new password"
      lead={`If ${props.email} has an account, we sent a code to it.`}
    >
      <Form
        form={form}
        action="Set password"
        pending="Setting the password…"
        beside={
          <button type="button" class="usa-button usa-button--unstyled" onClick={() => props.again()}>
            Request a new code
          </button>
        }
      >
        <CodeField form={form} name="code" />
        <NewPassword form={form} />
      </Form>
    </Page>
  );
}

function Changed() {
  return (
    <Page title="Your password is set">
      <Alert kind="success">
        <p>All open sessions have ended. Sign in with the new password.</p>
      </Alert>
      <p>
        <a class="usa-button" href="/sign-in">
          Sign in
        </a>
      </p>
    </Page>
  );
}
