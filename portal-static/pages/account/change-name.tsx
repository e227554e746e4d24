/** Page where a developer changes the name. */

import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.tsx';
import { Form } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { BackToAccount } from './back-to-account.tsx';
import { useDone } from './use-done.ts';

export default function ChangeName() {
  const { account } = useSession();
  const done = useDone();
  const form = useForm({
    schema: async () => (await accountSchemas()).updateAccountRequest,
    initial: { firstName: account?.firstName ?? '', lastName: account?.lastName ?? '' },
    draft: 'change-name',
    send: (body) => call('PATCH /api/account', { body }),
    done: () => done('Your name is changed.'),
  });
  return (
    <Page title="Change your name">
      <Form form={form} action="Save" pending="Saving…" beside={<BackToAccount />}>
        <TextField form={form} name="firstName" label="First name" autocomplete="given-name" />
        <TextField form={form} name="lastName" label="Last name" autocomplete="family-name" />
      </Form>
    </Page>
  );
}
