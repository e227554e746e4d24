import { Page } from '../../app/page.tsx';
import { BotCheckStatus } from '../../components/bot-check.tsx';
import { Form, Section } from '../../components/form.tsx';
import { EmailField, PhoneField, TextField } from '../../components/text-field.tsx';
import { NewPassword, SignUpSteps, UsernameField } from './sign-up-parts.tsx';
import { useSignUp } from './use-sign-up.ts';

export default function SignUpIndividual() {
  const { form, check } = useSignUp('individual');
  return (
    <Page title="Sign up as an individual developer">
      <SignUpSteps kind="person" current={0} />
      <Form form={form} action="Sign up" pending="Signing you up…">
        <Section title="You">
          <TextField form={form} name="firstName" label="First name" autocomplete="given-name" />
          <TextField form={form} name="lastName" label="Last name" autocomplete="family-name" />
          <TextField
            form={form}
            name="company"
            label="Company"
            hint="Your own name, if you work for yourself."
            autocomplete="organization"
          />
        </Section>
        <Section title="How we reach you" lead="We send a code to each, to see that it is yours.">
          <EmailField form={form} name="email" label="E-mail address" />
          <PhoneField form={form} name="mobilePhone" label="Mobile phone" />
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
