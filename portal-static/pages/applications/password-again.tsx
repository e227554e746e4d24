import { passwordRequest } from '../../../lambdas/portal-api/accounts.ts';
import { call } from '../../api/client.ts';
import { useSession } from '../../app/session.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { useForm } from '../../forms/use-form.ts';

/** The password once more, before secrets are shown; it opens them for five minutes in this session. */
export function PasswordAgain(props: {
  readonly action: string;
  readonly onOpened: () => void | Promise<void>;
}) {
  const { account } = useSession();
  const form = useForm({
    schema: () => Promise.resolve(passwordRequest),
    send: (body) => call('POST /api/session/password', { body }),
    done: () => props.onOpened(),
  });
  return (
    <Form form={form} action={props.action} pending="Checking…">
      {/* A password manager files a password under its name. */}
      <input
        type="text"
        name="username"
        autocomplete="username"
        value={account?.email ?? ''}
        readOnly
        hidden
      />
      <PasswordField
        form={form}
        name="password"
        label="Your password, once more"
        hint="Secrets stay open for five minutes."
        autocomplete="current-password"
      />
    </Form>
  );
}
