/**
 * Steps of an organization's sign-up after its first: company address, customer service and contacts. The form (`organization-form.ts`)
 * loads this module when the first step is shown, so that the page starts with less script.
 */

// Imports the shared modules in the order of every view, so that the bundler puts them into one shared chunk.
import '../../app/kernel.ts';
import '../../app/kernel.ts';
import { usStates } from '../../../lambdas/portal/catalog/us-states.ts';
import { Select } from '../../components/choices.tsx';
import { FieldGroups, type FieldRow, Fields } from '../../components/field-table.tsx';
import { Section } from '../../components/form.tsx';
import type { FormScreenProps, OrganizationField } from './organization-form.ts';
import { SignInFields } from './sign-up-parts.tsx';

export { CompanyScreen } from './company-screen.tsx';

type Rows = readonly FieldRow<OrganizationField>[];

const states = Object.entries(usStates).map(([value, label]) => ({ value, label }));

const beforeState: Rows = [
  { name: 'companyAddress.street', label: 'Street address', autocomplete: 'address-line1' },
  { name: 'companyAddress.city', label: 'City', autocomplete: 'address-level2' },
];
const afterState: Rows = [
  {
    name: 'companyAddress.zipCode',
    label: 'ZIP code',
    hint: 'Enter 5 digits, or 9 digits like 20001-0001.',
    autocomplete: 'postal-code',
    inputMode: 'numeric',
    width: 'small',
    spellcheck: false,
  },
  { name: 'companyAddress.phone', label: 'Company phone', kind: 'phone' },
  {
    name: 'companyAddress.websiteUrl',
    label: 'Website',
    hint: 'Starts with https://',
    type: 'url',
    inputMode: 'url',
    autocomplete: 'url',
  },
];
const customerService: Rows = [
  { name: 'customerServiceEmail', label: 'Customer service e-mail', kind: 'email', autocomplete: 'off' },
  { name: 'customerServicePhone', label: 'Customer service phone', kind: 'phone', autocomplete: 'off' },
];

export function AddressScreen({ form }: FormScreenProps) {
  return (
    <>
      <Section title="Company address">
        <Fields form={form} fields={beforeState} />
        <Select
          form={form}
          name="companyAddress.state"
          label="State"
          autocomplete="address-level1"
          choices={states}
        />
        <Fields form={form} fields={afterState} />
      </Section>
      <Section title="Customer service" lead="How your customers contact you.">
        <Fields form={form} fields={customerService} />
      </Section>
    </>
  );
}

const contacts = [
  {
    who: 'primaryContact',
    title: 'Primary contact',
    lead: 'Your own details. You sign in with this e-mail address, and we send the code to it.',
  },
  {
    who: 'secondaryContact',
    title: 'Secondary contact',
    lead: 'Another person at your company we can contact.',
  },
] as const;

function contactGroup({ who, title, lead }: (typeof contacts)[number]) {
  // Browsers fill in the data of the person at the keyboard, who is the primary contact.
  const autocomplete = (token: string) => (who === 'primaryContact' ? token : 'off');
  const fields: Rows = [
    { name: `${who}.firstName`, label: `${title}’s first name`, autocomplete: autocomplete('given-name') },
    { name: `${who}.lastName`, label: `${title}’s last name`, autocomplete: autocomplete('family-name') },
    {
      name: `${who}.email`,
      label: `${title}’s company e-mail address`,
      kind: 'email',
      hint: 'Must use the company’s domain.',
      autocomplete: autocomplete('email'),
    },
    {
      name: `${who}.phone`,
      label: `${title}’s company phone`,
      kind: 'phone',
      autocomplete: autocomplete('tel-national'),
    },
    {
      name: `${who}.designation`,
      label: `${title}’s designation`,
      hint: 'The person’s role, like “compliance officer”.',
      autocomplete: autocomplete('organization-title'),
    },
  ];
  return { title, lead, fields };
}

export function PeopleScreen({ form }: FormScreenProps) {
  return (
    <>
      <FieldGroups form={form} groups={contacts.map(contactGroup)} />
      <SignInFields form={form} />
    </>
  );
}
