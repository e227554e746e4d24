import { hipaaAffirmation } from '../../../lambdas/catalog/agreements.ts';
import { usStates } from '../../../lambdas/catalog/us-states.ts';
import type { SignUp } from '../../../lambdas/portal-api/accounts.ts';
import { Checkbox, Select } from '../../components/choices.tsx';
import { Section } from '../../components/form.tsx';
import { EmailField, PhoneField, TextField } from '../../components/text-field.tsx';
import type { Form } from '../../forms/use-form.ts';
import type { FieldName } from '../../forms/values.ts';
import { NewPassword, UsernameField } from './sign-up-parts.tsx';

/** The brokerage's fields are the payer's and one more. */
export type OrganizationForm = Form<FieldName<Extract<SignUp, { readonly developerType: 'brokerage' }>>>;
interface ScreenProps {
  readonly form: OrganizationForm;
}

export function CompanyScreen({ form, brokerage }: ScreenProps & { readonly brokerage: boolean }) {
  return (
    <>
      <Section title="Company">
        <TextField
          form={form}
          name="companyLegalName"
          label="Company legal name"
          autocomplete="organization"
        />
        {brokerage && (
          <TextField
            form={form}
            name="employerIdentificationNumber"
            label="Employer identification number"
            hint="Nine digits, like 12-3456789."
            inputMode="numeric"
            width="medium"
            spellcheck={false}
          />
        )}
        <TextField
          form={form}
          name="companyEmailDomain"
          label="Company e-mail domain"
          hint="What stands after the @ in your e-mail addresses, like example.org."
          width="large"
          inputMode="url"
          spellcheck={false}
        />
      </Section>
      <Section title={hipaaAffirmation.title}>
        {hipaaAffirmation.sections.flatMap(({ paragraphs }) =>
          paragraphs.map((paragraph) => <p key={paragraph}>{paragraph}</p>),
        )}
        <Checkbox form={form} name="hipaaAffirmation.accepted" label={hipaaAffirmation.acceptance} />
      </Section>
    </>
  );
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
