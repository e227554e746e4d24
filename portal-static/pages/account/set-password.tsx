import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { NewPassword } from './sign-up-parts.tsx';

/** Second screen of a forgotten password: the code and the new password. */
export function SetPassword(props: {
  readonly email: string;
  readonly done: () => void;
  readonly again: () => void;
}) {
  const form = useForm({
    schema: async () => (await accountSchemas()).passwordResetConfirmation,
    initial: { email: props.email },
    send: (body) => call('POST /api/password-reset/confirm', { body }),
    done: () => props.done(),
  });
  return (
    <Page
      title="Enter the code and your new password"
      lead={`If ${props.email} has an account, we sent a code to it.`}
    >
      <Form
        form={form}
        action="Set password"
        pending="Setting the password…"
        beside={
          <button type="button" class="usa-button usa-button--unstyled" onClick={() => props.again()}>
            Request a new code
          </button>
        }
      >
        <CodeField form={form} name="code" />
        <NewPassword form={form} />
      </Form>
    </Page>
  );
}
