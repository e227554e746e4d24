/** First screen of an organization's sign-up: the company and the HIPAA affirmation. */

import { Checkbox } from '../../components/checkbox.tsx';
import { type FieldRow, Fields } from '../../components/field-table.tsx';
import { Section } from '../../components/form.tsx';
import { identifierFields } from './identifier-fields.ts';
import type { FormScreenProps, OrganizationField } from './organization-form.ts';

const legalName = {
  name: 'companyLegalName',
  label: 'Company legal name',
  autocomplete: 'organization',
} as const;
const employerNumber = {
  name: 'employerIdentificationNumber',
  label: 'Employer identification number',
  hint: 'Enter 9 digits, like 12-3456789.',
  inputMode: 'numeric',
  width: 'medium',
  spellcheck: false,
} as const;
const emailDomain = {
  name: 'companyEmailDomain',
  label: 'Company e-mail domain',
  hint: 'The part after the @ in your e-mail addresses, like example.org.',
  width: 'large',
  inputMode: 'url',
  spellcheck: false,
} as const;

/** Fields of a payer's optional identifiers. */
const identifiers: readonly FieldRow<OrganizationField>[] = identifierFields.map(({ field, ...row }) => ({
  ...row,
  name: `organizationIdentifiers.${field}`,
  spellcheck: false,
  optional: true,
}));

const fields: Readonly<Record<'payer' | 'brokerage', readonly FieldRow<OrganizationField>[]>> = {
  payer: [legalName, emailDomain],
  brokerage: [legalName, employerNumber, emailDomain],
};

export function CompanyScreen({ form, developerType, affirmation }: FormScreenProps) {
  return (
    <>
      <Section title="Company">
        <Fields form={form} fields={fields[developerType]} />
      </Section>
      {developerType === 'payer' && (
        <Section title="Identifiers of your organization">
          <p>
            A member’s consent names your organization by one of these. We verify them before your
            applications can match members.
          </p>
          <Fields form={form} fields={identifiers} />
        </Section>
      )}
      <Section title={affirmation.title}>
        {affirmation.sections.flatMap(({ paragraphs }) =>
          paragraphs.map((paragraph) => <p key={paragraph}>{paragraph}</p>),
        )}
        <Checkbox form={form} name="hipaaAffirmation.accepted" label={affirmation.acceptance} />
      </Section>
    </>
  );
}
