/** Page where a developer changes the e-mail address, confirmed by a code. */

import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { EmailField } from '../../components/text-field.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { useKeptText } from '../../forms/use-kept-text.ts';
import { BackToAccount } from './back-to-account.tsx';
import { ConfirmByCode } from './confirm-by-code.tsx';
import { useDone } from './use-done.ts';

export default function ChangeEmail() {
  const [sentTo, setSentTo] = useKeptText('change-email-code');
  const done = useDone();
  const form = useForm({
    schema: async () => (await accountSchemas()).changeEmailRequest,
    draft: 'change-email',
    send: async (body) => {
      const outcome = await call('POST /api/account/email', { body });
      return outcome.ok ? { ok: true, value: body.email } : outcome;
    },
    done: (email) => setSentTo(email),
  });
  if (sentTo !== undefined) {
    return (
      <ConfirmByCode
        title="Enter the code from your new address"
        sentTo={sentTo}
        route="POST /api/account/email/confirm"
        done={async () => {
          setSentTo(undefined);
          await done('Your e-mail address is changed.');
        }}
        again={() => setSentTo(undefined)}
      />
    );
  }
  return (
    <Page
      title="Change your e-mail address"
      lead="We send a code to the new address. Your address changes after you enter the code."
    >
      <Form form={form} action="Send the code" pending="Sending the code…" beside={<BackToAccount />}>
        <EmailField form={form} name="email" label="New e-mail address" />
        <PasswordField form={form} name="password" label="Your password" autocomplete="current-password" />
      </Form>
    </Page>
  );
}
