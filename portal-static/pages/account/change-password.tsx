/** Page where a developer changes the password. */

import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { BackToAccount } from './back-to-account.tsx';
import { NewPassword } from './sign-up-parts.tsx';
import { useDone } from './use-done.ts';

export default function ChangePassword() {
  const done = useDone();
  const form = useForm({
    schema: async () => (await accountSchemas()).changePasswordRequest,
    send: (body) => call('POST /api/account/password', { body }),
    done: () => done('Your password is changed.'),
  });
  return (
    <Page title="Change your password" lead="All your other sessions end.">
      <Form form={form} action="Change password" pending="Changing…" beside={<BackToAccount />}>
        <PasswordField
          form={form}
          name="presentPassword"
          label="Current password"
          autocomplete="current-password"
        />
        <NewPassword form={form} />
      </Form>
    </Page>
  );
}
