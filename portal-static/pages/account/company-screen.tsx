import type { Agreement } from '../../../lambdas/catalog/agreements.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Section } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { OrganizationForm } from './sign-up-organization.tsx';

export function CompanyScreen(props: {
  readonly form: OrganizationForm;
  readonly brokerage: boolean;
  readonly affirmation: Agreement;
}) {
  const { form, brokerage, affirmation } = props;
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
      <Section title={affirmation.title}>
        {affirmation.sections.flatMap(({ paragraphs }) =>
          paragraphs.map((paragraph) => <p key={paragraph}>{paragraph}</p>),
        )}
        <Checkbox form={form} name="hipaaAffirmation.accepted" label={affirmation.acceptance} />
      </Section>
    </>
  );
}
