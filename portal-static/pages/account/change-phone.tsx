/** Page where a developer changes the phone number, also the one of a sign-up that is not confirmed yet, by a code to the new one. */

import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { PhoneField } from '../../components/text-field.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { useKeptText } from '../../forms/use-kept-text.ts';
import { BackToAccount } from './back-to-account.tsx';
import { ConfirmByCode } from './confirm-by-code.tsx';
import { useDone } from './use-done.ts';
import { useStep } from './use-step.ts';

export default function ChangePhone() {
  const account = useStep('none', 'verify_phone');
  const [sentTo, setSentTo] = useKeptText('change-phone-code');
  const done = useDone();
  const signingUp = account?.nextStep === 'verify_phone';
  const form = useForm({
    schema: async () => (await accountSchemas()).changePhoneRequest,
    draft: 'change-phone',
    send: async (body) => {
      const outcome = await call('POST /api/account/phone', { body });
      return outcome.ok ? { ok: true, value: body.phone } : outcome;
    },
    done: (phone) => setSentTo(phone),
  });
  if (account === undefined) return null;
  if (sentTo !== undefined) {
    return (
      <ConfirmByCode
        title="Enter the code from your new phone"
        sentTo={sentTo}
        route="POST /api/account/phone/confirm"
        done={async () => {
          setSentTo(undefined);
          await done('Your phone number is changed.');
        }}
        again={() => setSentTo(undefined)}
      />
    );
  }
  return (
    <Page
      title={signingUp ? 'Correct your phone number' : 'Change your phone number'}
      lead="We send a code to the new number. Your number changes after you enter the code."
    >
      <Form
        form={form}
        action="Send the code"
        pending="Sending the code…"
        beside={signingUp ? <a href="/verify-phone">Cancel</a> : <BackToAccount />}
      >
        <PhoneField form={form} name="phone" label="New phone number" />
        <PasswordField form={form} name="password" label="Your password" autocomplete="current-password" />
      </Form>
    </Page>
  );
}
