/** Sign-in page of the portal. */

import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { AccountView, SignInView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { NotLoadedPage, Page } from '../../app/page.tsx';
import { readReturnPath } from '../../app/return-path.ts';
import { homeOf, useSession } from '../../app/session.tsx';
import { Alert } from '../../components/alert.tsx';
import { BotCheckStatus, useBotCheck } from '../../components/bot-check.tsx';
import { Form } from '../../components/form.tsx';
import { useLater } from '../../components/later.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Progress } from '../../components/progress.tsx';
import { TextField } from '../../components/text-field.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import type { AskedForCode } from './sign-in-code.tsx';

/** Page for signing in: password, then a code if the API asks for it. */
export default function SignIn() {
  const [asked, setAsked] = useState<AskedForCode>();
  const { account: present, refresh } = useSession();
  const { query, route } = useLocation();
  const returnPath = readReturnPath(query);
  const enter = (account: AccountView) =>
    route(account.nextStep === 'none' ? (returnPath ?? homeOf(account)) : homeOf(account), true);
  useEffect(() => {
    // Static pages link to the sign-in page even for a signed-in visitor, who continues to the right page.
    if (present !== undefined) enter(present);
  }, [present]);
  const go = async (answer: SignInView) => {
    if (answer.next === 'code') return setAsked(answer);
    const state = await refresh();
    if (state.kind !== 'signed_in') enter(answer.account);
  };
  // Loaded while the password is typed.
  const second = useLater(() => import('./sign-in-code.tsx'));
  if (asked === undefined) return <Password done={go} returning={returnPath !== undefined} />;
  if (second === undefined) return <Progress words="Loading the form…" />;
  if (second === 'failed') return <NotLoadedPage />;
  return <second.SignInCode asked={asked} done={go} />;
}

function Password(props: { readonly done: (answer: SignInView) => unknown; readonly returning: boolean }) {
  const check = useBotCheck();
  const form = useForm({
    schema: async () => (await accountSchemas()).signInRequest,
    draft: 'sign-in',
    botCheck: check,
    send: (body) => call('POST /api/session', { body }),
    done: async (answer) => {
      await props.done(answer);
    },
  });
  return (
    <Page title="Sign in">
      {props.returning && (
        <Alert kind="info">
          Sign in to continue. You then return to the same page. What you typed there is saved.
        </Alert>
      )}
      <Form form={form} action="Sign in" pending="Signing in…">
        <TextField
          form={form}
          name="identifier"
          label="E-mail address or user name"
          autocomplete="username"
          inputMode="email"
          spellcheck={false}
        />
        <PasswordField form={form} name="password" label="Password" autocomplete="current-password" />
        <BotCheckStatus check={check} />
      </Form>
      <ul class="page__links">
        <li>
          <a href="/password-reset">Set a new password</a>
        </li>
        <li>
          <a href="/sign-up">Sign up for an account</a>
        </li>
      </ul>
    </Page>
  );
}
