import type { AccountAct } from '../../../lambdas/portal/catalog/account-states.ts';

/** Formats an account for operators: the values of its sign-up in the order of the form, and its events in words. */

/** Fields of the sign-up forms in their order, each with a label where one cannot be derived from the name. */
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

/** The position of a field. Fields that are on no current form come last. */
const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);

/** Lists the values of a sign-up with labels: `companyAddress.zipCode` becomes `Company address, ZIP code`. */
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
  ask_record: 'asked for the acts of this operator',
} as const satisfies Readonly<Record<AccountAct, string>> & Readonly<Record<string, string>>;

/** The text of an account's event, to follow the name of the person who acted. */
export function accountActWords(act: string): string {
  return (actWords as Readonly<Record<string, string>>)[act] ?? act.replaceAll('_', ' ');
}
