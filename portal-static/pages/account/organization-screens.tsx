// Loaded after its form: what it shares with it is in the kernel's chunk already.
import '../../app/kernel.ts';
import { usStates } from '../../../lambdas/catalog/us-states.ts';
import { Select } from '../../components/choices.tsx';
import { Section } from '../../components/form.tsx';
import { EmailField, PhoneField, TextField } from '../../components/text-field.tsx';
import type { OrganizationForm } from './sign-up-organization.tsx';
import { NewPassword, UsernameField } from './sign-up-parts.tsx';

export { CompanyScreen } from './company-screen.tsx';

interface ScreenProps {
  readonly form: OrganizationForm;
}

const states = Object.entries(usStates).map(([value, label]) => ({ value, label }));

export function AddressScreen({ form }: ScreenProps) {
  return (
    <>
      <Section title="Company address">
        <TextField
          form={form}
          name="companyAddress.street"
          label="Street address"
          autocomplete="address-line1"
        />
        <TextField form={form} name="companyAddress.city" label="City" autocomplete="address-level2" />
        <Select
          form={form}
          name="companyAddress.state"
          label="State"
          autocomplete="address-level1"
          choices={states}
        />
        <TextField
          form={form}
          name="companyAddress.zipCode"
          label="ZIP code"
          hint="Five digits, or nine like 20001-0001."
          autocomplete="postal-code"
          inputMode="numeric"
          width="small"
          spellcheck={false}
        />
        <PhoneField form={form} name="companyAddress.phone" label="Company phone" />
        <TextField
          form={form}
          name="companyAddress.websiteUrl"
          label="Website"
          hint="Begins with https://"
          type="url"
          inputMode="url"
          autocomplete="url"
        />
      </Section>
      <Section title="Customer service" lead="Where your customers turn to.">
        <EmailField
          form={form}
          name="customerServiceEmail"
          label="Customer service e-mail"
          autocomplete="off"
        />
        <PhoneField
          form={form}
          name="customerServicePhone"
          label="Customer service phone"
          autocomplete="off"
        />
      </Section>
    </>
  );
}

export function PeopleScreen({ form }: ScreenProps) {
  return (
    <>
      <Contact
        form={form}
        who="primaryContact"
        title="Primary contact"
        lead="That is you: you sign in with this e-mail address, and we send the code there."
      />
      <Contact
        form={form}
        who="secondaryContact"
        title="Secondary contact"
        lead="Somebody else at your company whom we can ask."
      />
      <Section title="How you sign in">
        <UsernameField form={form} />
        <NewPassword form={form} />
      </Section>
    </>
  );
}

function Contact(
  props: ScreenProps & {
    readonly who: 'primaryContact' | 'secondaryContact';
    readonly title: string;
    readonly lead: string;
  },
) {
  const { form, who, title } = props;
  // Browsers fill in the person at the keyboard: that is the primary contact.
  const own = who === 'primaryContact';
  const autocomplete = (token: string) => (own ? token : 'off');
  const label = (text: string) => `${title}’s ${text}`;
  return (
    <Section title={title} lead={props.lead}>
      <TextField
        form={form}
        name={`${who}.firstName`}
        label={label('first name')}
        autocomplete={autocomplete('given-name')}
      />
      <TextField
        form={form}
        name={`${who}.lastName`}
        label={label('last name')}
        autocomplete={autocomplete('family-name')}
      />
      <EmailField
        form={form}
        name={`${who}.email`}
        label={label('company e-mail address')}
        hint="At the company’s own domain."
        autocomplete={autocomplete('email')}
      />
      <PhoneField
        form={form}
        name={`${who}.phone`}
        label={label('company phone')}
        autocomplete={autocomplete('tel-national')}
      />
      <TextField
        form={form}
        name={`${who}.designation`}
        label={label('designation')}
        hint="What this person does, like “compliance officer”."
        autocomplete={autocomplete('organization-title')}
      />
    </Section>
  );
}
