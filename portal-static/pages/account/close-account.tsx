/** Page where a developer closes the account. */

import { useLocation } from 'preact-iso/router';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { stepPages, useSession } from '../../app/session.tsx';
import { Alert } from '../../components/alert.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
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
      announce(finished ? 'Your account is closed.' : 'Your sign-up is deleted. You can sign up again.');
      route('/sign-up', true);
    },
  });
  if (account === undefined) return null;
  return (
    <Page title={finished ? 'Close your account' : 'Start over'}>
      <Alert kind="warning">
        {finished ? (
          <p>
            You cannot undo this. You can no longer sign in. Your team’s applications stay with the other
            members. If you are the only member, first <a href="/applications">withdraw your applications</a>{' '}
            or <a href="/team">invite someone to your team</a>.
          </p>
        ) : (
          <p>We delete the information you entered. You can then sign up again.</p>
        )}
      </Alert>
      <Form
        form={form}
        action={finished ? 'Close my account' : 'Start over'}
        pending="Closing…"
        beside={<a href={finished ? '/account' : stepPages[account.nextStep]}>Cancel</a>}
      >
        {form.problem?.code === 'applications_live' && (
          <p>
            <a href="/applications">See applications to withdraw</a>
          </p>
        )}
        <PasswordField form={form} name="password" label="Your password" autocomplete="current-password" />
      </Form>
    </Page>
  );
}
