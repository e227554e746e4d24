/** Sign-in page of the portal. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { AccountView, SignInView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { readReturnPath } from '../../app/return-path.ts';
import { homeOf, useSession } from '../../app/session.tsx';
import { Alert } from '../../components/alert.tsx';
import { BotCheckStatus, useBotCheck } from '../../components/bot-check.tsx';
import { CodeField, ResendCode } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { accountSchemas } from '../../forms/account-schemas.ts';
import { useForm } from '../../forms/use-form.ts';

type AskedForCode = Extract<SignInView, { next: 'code' }>;

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
  return asked === undefined ? (
    <Password done={go} returning={returnPath !== undefined} />
  ) : (
    <Code asked={asked} done={go} />
  );
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

function Code(props: { readonly asked: AskedForCode; readonly done: (answer: SignInView) => unknown }) {
  const { asked } = props;
  const form = useForm({
    schema: async () => (await accountSchemas()).codeRequest,
    send: (body) => call('POST /api/session/code', { body }),
    done: async (answer) => {
      await props.done(answer);
    },
  });
  // Names the wait for another code by its sign-in, because each sign-in has its own code and a reload starts a new sign-in.
  const begun = useRef(Date.now()).current;
  if (asked.channel === 'authenticator') {
    return (
      <Page
        title="Enter the code from your authenticator app"
        lead="Open the app and enter the six digits it shows for this portal."
      >
        <Form form={form} action="Sign in" pending="Signing in…">
          <CodeField
            form={form}
            name="code"
            hint="Enter 6 digits. The app shows a new code every 30 seconds."
          />
        </Form>
        <p>If you lost access to the app, ask another operator to reset it.</p>
      </Page>
    );
  }
  const channel = asked.channel === 'sms' ? 'by text message' : 'by e-mail';
  return (
    <Page
      title="Enter the code we sent you"
      lead={`To confirm your identity, we sent a code ${channel} to ${asked.sentTo}.`}
    >
      <Form form={form} action="Sign in" pending="Signing in…">
        <CodeField form={form} name="code" />
      </Form>
      <ResendCode
        channel={asked.channel === 'sms' ? 'phone' : 'email'}
        name={`sign-in ${begun}`}
        resend={() => call('POST /api/session/code/resend', { body: {} })}
        onSent={() => form.restart()}
      />
    </Page>
  );
}
