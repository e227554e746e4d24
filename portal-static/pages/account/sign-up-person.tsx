/** Sign-up page of a person: the form for individuals, or the older form at `/classic`. */

import { useLocation } from 'preact-iso/router';
import type { SignUp } from '../../../lambdas/portal/api/accounts.ts';
import { Page } from '../../app/page.tsx';
import { type BotCheckField, BotCheckStatus } from '../../components/bot-check.tsx';
import { type FieldGroup, FieldGroups } from '../../components/field-table.tsx';
import { Form as FormElement } from '../../components/form.tsx';
import type { FormState } from '../../forms/use-form.ts';
import type { FieldName } from '../../forms/values.ts';
import { SignInFields, SignUpSteps } from './sign-up-parts.tsx';
import { useSignUp } from './use-sign-up.ts';

type NameOf<Type extends SignUp['developerType']> = FieldName<
  Extract<SignUp, { readonly developerType: Type }>
>;
type AnyName = NameOf<'individual' | 'classic'>;

const names = [
  { name: 'firstName', label: 'First name', autocomplete: 'given-name' },
  { name: 'lastName', label: 'Last name', autocomplete: 'family-name' },
] as const;
const email = { name: 'email', label: 'E-mail address', kind: 'email' } as const;
const reach = {
  title: 'Contact details',
  lead: 'We send a code to each to confirm that it is yours.',
} as const;

const individual: readonly FieldGroup<NameOf<'individual'>>[] = [
  {
    title: 'You',
    fields: [
      ...names,
      {
        name: 'company',
        label: 'Company',
        hint: 'Enter your own name if you work for yourself.',
        autocomplete: 'organization',
      },
    ],
  },
  { ...reach, fields: [email, { name: 'mobilePhone', label: 'Mobile phone', kind: 'phone' }] },
];

const classic: readonly FieldGroup<NameOf<'classic'>>[] = [
  {
    title: 'You and your company',
    fields: [
      ...names,
      {
        name: 'role',
        label: 'Role',
        hint: 'For example, “developer” or “product owner”.',
        autocomplete: 'organization-title',
      },
      { name: 'companyName', label: 'Company name', autocomplete: 'organization' },
    ],
  },
  { ...reach, fields: [{ name: 'contactPhone', label: 'US contact phone number', kind: 'phone' }, email] },
];

/** Sign-up page of a person, with the present or the older form. */
export default function SignUpPerson() {
  const older = useLocation().path.endsWith('/classic');
  return <PersonForm key={String(older)} older={older} />;
}

function PersonForm({ older }: { readonly older: boolean }) {
  const { form, check } = useSignUp(older ? 'classic' : 'individual') as {
    readonly form: FormState<AnyName>;
    readonly check: BotCheckField;
  };
  return (
    <Page title={older ? 'Sign up with the older form' : 'Sign up as an individual developer'}>
      <SignUpSteps kind="person" current={0} />
      <FormElement form={form} action="Sign up" pending="Signing you up…">
        <FieldGroups form={form} groups={older ? classic : individual} />
        <SignInFields form={form} />
        <BotCheckStatus check={check} />
      </FormElement>
    </Page>
  );
}
