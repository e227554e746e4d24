/** Asks for the password again before an application's secrets are shown. */

import { useEffect, useState } from 'preact/hooks';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';
import { call } from '../../api/portal-client.ts';
import { useSession } from '../../app/session.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';

/** Form that asks for the password again; after it the session may show secrets for five minutes. */
export function PasswordAgain(props: {
  readonly action: string;
  readonly onOpened: () => void | Promise<void>;
}) {
  const { account, adopt } = useSession();
  /** Number of times the right password was entered: the five minutes may end while the form is shown, so there may be several. */
  const [opened, setOpened] = useState(0);
  useEffect(() => {
    // Called in an effect, after the session in context has the new `secretsOpenUntil`, so that the next request is not refused for the
    // password.
    if (opened > 0) void props.onOpened();
  }, [opened]);
  const form = useForm({
    schema: async () => (await accountSchemas()).passwordRequest,
    send: (body) => call('POST /api/session/password', { body }),
    done: () => {
      const until = Date.now() + portalLimits.passwordAgainSeconds * 1000;
      if (account !== undefined) adopt({ ...account, secretsOpenUntil: new Date(until).toISOString() });
      setOpened((times) => times + 1);
    },
  });
  return (
    <Form form={form} action={props.action} pending="Checking…">
      {/* Lets a password manager store the password under its name. */}
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
        label="Your password"
        hint="Enter your password again to see secrets for five minutes."
        autocomplete="current-password"
      />
    </Form>
  );
}
