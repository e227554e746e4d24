import { useLocation } from 'preact-iso/router';
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
  const finished = account?.nextStep === 'none';
  const form = useForm({
    schema: async () => (await accountSchemas()).passwordRequest,
    send: (body) => call('POST /api/account/close', { body }),
    done: () => {
      forget();
      announce(finished ? 'Your account is closed.' : 'Your sign-up is dropped. You can begin again.');
      route('/sign-up', true);
    },
  });
  if (account === undefined) return null;
  return (
    <Page title={finished ? 'Close your account' : 'Drop this sign-up'}>
      <Alert kind="warning">
        {finished ? (
          <p>
            This cannot be undone. You can no longer sign in. Applications of your team go on with the others
            in it. Where you are the only one, <a href="/applications">withdraw your applications</a> or{' '}
            <a href="/team">invite somebody to your team</a> first.
          </p>
        ) : (
          <p>What you have told us so far is dropped, and you can sign up again.</p>
        )}
      </Alert>
      <Form
        form={form}
        action={finished ? 'Close my account' : 'Drop it'}
        pending="Closing…"
        beside={<a href={finished ? '/account' : stepPages[account.nextStep]}>Keep it</a>}
      >
        {form.problem?.code === 'applications_live' && (
          <p>
            <a href="/applications">See what must be withdrawn</a>
          </p>
        )}
        <PasswordField form={form} name="password" label="Your password" autocomplete="current-password" />
      </Form>
    </Page>
  );
}
