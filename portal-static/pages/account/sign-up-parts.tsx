/** Parts that the sign-up pages share. */

import type { AccountView } from '../../../lambdas/portal/api/views.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';
import { Section } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Steps } from '../../components/steps.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { FormState } from '../../forms/use-form.ts';

/** Steps of a sign-up. For an organization an operator's review replaces the text message. */
const stepsOf = {
  person: ['Your details', 'E-mail code', 'Phone code', 'Terms of Use'],
  organization: ['Your details', 'E-mail code', 'Terms of Use', 'Verification'],
} as const;

/** The kind of sign-up of an account, by its developer type. */
export const kindOf = ({ developerType }: AccountView) =>
  developerType === 'payer' || developerType === 'brokerage' ? 'organization' : 'person';

export function SignUpSteps(props: { readonly kind: keyof typeof stepsOf; readonly current: number }) {
  return <Steps steps={stepsOf[props.kind]} current={props.current} />;
}

/** Fields for a new password and its repetition, which catches typing errors. */
export function NewPassword<Name extends string>(props: {
  readonly form: FormState<Name | 'password' | 'passwordConfirmation'>;
}) {
  return (
    <>
      <PasswordField
        form={props.form}
        name="password"
        label="New password"
        hint={`At least ${portalLimits.passwordMinimum} characters. A few words are easy to remember. You do not need digits or symbols.`}
        autocomplete="new-password"
      />
      <PasswordField
        form={props.form}
        name="passwordConfirmation"
        label="Confirm password"
        autocomplete="new-password"
      />
    </>
  );
}

/** The last fields of every sign-up: the optional user name and the password. */
export function SignInFields<Name extends string>(props: {
  readonly form: FormState<Name | 'username' | 'password' | 'passwordConfirmation'>;
}) {
  return (
    <Section title="Sign-in details">
      <TextField
        form={props.form}
        name="username"
        label="User name"
        optional
        hint="You can sign in with a user name instead of your e-mail address."
        autocomplete="username"
        width="large"
        spellcheck={false}
      />
      <NewPassword form={props.form} />
    </Section>
  );
}
