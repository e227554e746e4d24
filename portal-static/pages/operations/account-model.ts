import type { AccountAct } from '../../../lambdas/portal/catalog/account-states.ts';

/** An account as an operator reads it: what was given at sign-up in the order of its form, and what happened since. */

/** Names of a sign-up's fields as they follow one another on the forms, with the words that a name alone does not give. */
const signUpFields: Readonly<Record<string, string | undefined>> = {
  developerType: undefined,
  firstName: undefined,
  lastName: undefined,
  role: undefined,
  company: undefined,
  companyName: undefined,
  mobilePhone: undefined,
  contactPhone: 'US contact phone number',
  companyLegalName: undefined,
  employerIdentificationNumber: undefined,
  organizationIdentifiers: 'Organization',
  npi: 'NPI',
  naicCompanyCode: 'NAIC company code',
  taxIdentificationNumber: undefined,
  oid: 'OID',
  companyEmailDomain: 'Company e-mail domain',
  hipaaAffirmation: 'HIPAA affirmation',
  accepted: undefined,
  version: undefined,
  companyAddress: undefined,
  street: undefined,
  city: undefined,
  state: undefined,
  zipCode: 'ZIP code',
  phone: undefined,
  websiteUrl: 'website',
  customerServiceEmail: 'Customer service e-mail',
  customerServicePhone: undefined,
  primaryContact: undefined,
  secondaryContact: undefined,
  designation: undefined,
  email: 'e-mail',
  username: 'User name',
};
const order = Object.keys(signUpFields);

/** Fields that no current form has come last. */
const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);

/** `companyAddress.zipCode` of a sign-up as words: `Company address, ZIP code`. */
export function signUpRows(
  signUp: Readonly<Record<string, unknown>>,
  under = '',
): readonly { readonly label: string; readonly value: string }[] {
  return Object.entries(signUp)
    .sort(([one], [other]) => placeOf(one) - placeOf(other))
    .flatMap(([name, value]) => {
      const words = signUpFields[name] ?? name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
      const label = under === '' ? capital(words) : `${under}, ${words}`;
      if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
        return signUpRows(value as Readonly<Record<string, unknown>>, label);
      }
      const text = value === true ? 'Yes' : value === false ? 'No' : String(value ?? '');
      return text === '' ? [] : [{ label, value: text }];
    });
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const actWords = {
  sign_up: 'signed up',
  verify_email: 'confirmed the e-mail address',
  verify_organization_email: 'confirmed the e-mail address',
  verify_phone: 'confirmed the phone number',
  accept_terms: 'accepted the Terms of Use',
  accept_organization_terms: 'accepted the Terms of Use',
  verify_organization: 'verified the organization',
  refuse_organization: 'refused the organization',
  lock: 'locked the account after too many incorrect passwords',
  unlock: 'unlocked the account with a new password',
  suspend: 'suspended the account',
  resume: 'reinstated the account',
  close: 'closed the account',
  accept_new_terms: 'accepted the new Terms of Use',
  change_name: 'changed the name',
  change_email: 'changed the e-mail address',
  change_phone: 'changed the phone number',
  change_password: 'changed the password',
  reset_password: 'set a new password',
  sign_out_everywhere: 'signed out everywhere',
  join_team: 'joined a team',
  leave_team: 'left the team',
  set_up_authenticator: 'set up an authenticator app',
  reset_authenticator: 'reset the authenticator app',
  become_team_owner: 'became an owner of the team',
  become_team_member: 'became a member of the team',
  make_operator: 'made this an operator account',
} as const satisfies Readonly<Record<AccountAct, string>> & Readonly<Record<string, string>>;

/** Texts of an account's events; each follows the name of the person who acted. */
export function accountActWords(act: string): string {
  return (actWords as Readonly<Record<string, string>>)[act] ?? act.replaceAll('_', ' ');
}
