import { useRef } from 'preact/hooks';
import type { SignInView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { CodeField, ResendCode } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';

export type AskedForCode = Extract<SignInView, { next: 'code' }>;

/** Second screen of a sign-in: the code that was sent, or that an authenticator app shows. */
export function SignInCode(props: {
  readonly asked: AskedForCode;
  readonly done: (answer: SignInView) => unknown;
}) {
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
