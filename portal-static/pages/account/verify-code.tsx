/** Page that confirms the e-mail address or telephone number of a sign-up by a code. */

import type { ComponentChildren } from 'preact';
import type { AccountView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.tsx';
import { CodeField, ResendCode } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { kindOf, SignUpSteps } from './sign-up-parts.tsx';

/** Form for a code of the sign-up, by e-mail or text message. */
export function VerifyCode(props: {
  readonly account: AccountView;
  readonly title: string;
  readonly lead: string;
  readonly channel: 'email' | 'phone';
  readonly children?: ComponentChildren;
}) {
  const { account, channel } = props;
  const { refresh } = useSession();
  const form = useForm({
    schema: async () => (await accountSchemas()).codeRequest,
    send: (body) => call(`POST /api/account/${channel}-code`, { body }),
    done: async () => {
      await refresh();
    },
  });
  return (
    <Page title={props.title} lead={props.lead}>
      <SignUpSteps kind={kindOf(account)} current={channel === 'email' ? 1 : 2} />
      <Form form={form} action="Continue" pending="Checking the code…">
        <CodeField form={form} name="code" />
      </Form>
      <ResendCode
        channel={channel}
        name={`${channel} ${account.accountId}`}
        resend={() => call(`POST /api/account/${channel}-code/resend`, { body: {} })}
        onSent={() => form.restart()}
      />
      {props.children}
    </Page>
  );
}
