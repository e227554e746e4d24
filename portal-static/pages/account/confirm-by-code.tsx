import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';

/** Form for the code that confirms a new e-mail address or phone number. */
export function ConfirmByCode(props: {
  readonly title: string;
  readonly sentTo: string;
  readonly route: 'POST /api/account/email/confirm' | 'POST /api/account/phone/confirm';
  readonly done: () => Promise<void>;
  readonly again: () => void;
}) {
  const form = useForm({
    schema: async () => (await accountSchemas()).codeRequest,
    send: (body) => call(props.route, { body }),
    done: () => props.done(),
  });
  return (
    <Page title={props.title} lead={`We sent a code to ${props.sentTo}.`}>
      <Form
        form={form}
        action="Confirm"
        pending="Checking the code…"
        beside={
          <button type="button" class="usa-button usa-button--unstyled" onClick={() => props.again()}>
            Go back and request a new code
          </button>
        }
      >
        <CodeField form={form} name="code" />
      </Form>
    </Page>
  );
}
