import { useLocation } from 'preact-iso';
import { call } from '../../api/client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { stepPages, useSession } from '../../app/session.tsx';
import { Alert } from '../../components/alert.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { accountSchemas } from '../../forms/account-schemas.ts';
import { useForm } from '../../forms/use-form.ts';

export default function CloseAccount() {
  const { account, forget } = useSession();
  const { route } = useLocation();
  const announce = useAnnounce();
  const form = useForm({
    schema: async () => (await accountSchemas()).passwordRequest,
    send: (body) => call('POST /api/account/close', { body }),
    done: () => {
      forget();
      announce('Your account is closed.');
      route('/sign-up', true);
    },
  });
  if (account === undefined) return null;
  const finished = account.nextStep === 'none';
  return (
    <Page title={finished ? 'Close your account' : 'Drop this sign-up'}>
      <Alert kind="warning">
        {finished
          ? 'This cannot be undone. You can no longer sign in. Applications of your team go on with the others in it; where you are the only one, withdraw them first.'
          : 'What you have told us so far is dropped, and you can sign up again.'}
      </Alert>
      <Form
        form={form}
        action={finished ? 'Close my account' : 'Drop it'}
        pending="Closing…"
        beside={<a href={finished ? '/account' : stepPages[account.nextStep]}>Keep it</a>}
      >
        <PasswordField form={form} name="password" label="Your password" autocomplete="current-password" />
      </Form>
    </Page>
  );
}
