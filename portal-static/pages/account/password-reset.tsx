/** Pages of a forgotten password: request a code, then set a new password. */

import { useState } from 'preact/hooks';
import { call } from '../../api/portal-client.ts';
import { NotLoadedPage, Page } from '../../app/page.tsx';
import { Alert } from '../../components/alert.tsx';
import { BotCheckStatus, useBotCheck } from '../../components/bot-check.tsx';
import { Form } from '../../components/form.tsx';
import { useLater } from '../../components/later.tsx';
import { Progress } from '../../components/progress.tsx';
import { EmailField } from '../../components/text-field.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { useKeptText } from '../../forms/use-kept-text.ts';

/** Page that requests a code and then sets a new password with it. */
export default function PasswordReset() {
  const [email, setEmail] = useKeptText('password-reset-code');
  const [done, setDone] = useState(false);
  // Loaded while the address is typed.
  const second = useLater(() => import('./set-password.tsx'));
  if (done) return <Changed />;
  if (email === undefined) return <AskForCode sent={setEmail} />;
  if (second === undefined) return <Progress words="Loading the form…" />;
  if (second === 'failed') return <NotLoadedPage />;
  const finish = () => {
    setEmail(undefined);
    setDone(true);
  };
  return <second.SetPassword email={email} done={finish} again={() => setEmail(undefined)} />;
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
