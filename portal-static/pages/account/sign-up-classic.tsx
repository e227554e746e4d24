import { Page } from '../../app/page.tsx';
import { BotCheckStatus } from '../../components/bot-check.tsx';
import { Form, Section } from '../../components/form.tsx';
import { EmailField, PhoneField, TextField } from '../../components/text-field.tsx';
import { NewPassword, SignUpSteps, UsernameField } from './sign-up-parts.tsx';
import { useSignUp } from './use-sign-up.ts';

export default function SignUpClassic() {
  const { form, check } = useSignUp('classic');
  return (
    <Page title="Sign up with the older form">
      <SignUpSteps kind="person" current={0} />
      <Form form={form} action="Sign up" pending="Signing you up…">
        <Section title="You and your company">
          <TextField form={form} name="firstName" label="First name" autocomplete="given-name" />
          <TextField form={form} name="lastName" label="Last name" autocomplete="family-name" />
          <TextField
            form={form}
            name="role"
            label="Role"
            hint="Like “developer” or “product owner”."
            autocomplete="organization-title"
          />
          <TextField form={form} name="companyName" label="Company name" autocomplete="organization" />
        </Section>
        <Section title="How we reach you" lead="We send a code to each, to see that it is yours.">
          <PhoneField form={form} name="contactPhone" label="US contact phone number" />
          <EmailField form={form} name="email" label="E-mail address" />
        </Section>
        <Section title="How you sign in">
          <UsernameField form={form} />
          <NewPassword form={form} />
        </Section>
        <BotCheckStatus check={check} />
      </Form>
    </Page>
  );
}
