/** Examples for an application's registration in the sandbox: values that work on the developer's own machine. */

import type { ConfigurationField } from '../../../lambdas/portal/api/applications.ts';
import type { AccountView } from '../../../lambdas/portal/api/views.ts';
import { type FormValue, type FormValues, isAskedFor, withType } from './form-values-model.ts';

/** A web application on the developer's own machine, at the port that most frameworks begin with. */
const host = 'http://localhost:3000';

const addresses = {
  applicationUri: `${host}/`,
  loginInitiateUri: `${host}/login`,
  loginRedirectUris: [`${host}/callback`],
  logoutRedirectUri: `${host}/signed-out`,
  privacyUri: `${host}/privacy`,
  tosUri: `${host}/terms`,
} as const satisfies Partial<Record<ConfigurationField, FormValue>>;

const name = 'My first application';
/** A number reserved for fiction (NANPA, 555-01XX), so that members call nobody. */
const phone = '202-555-0123';

type Contact = Pick<AccountView, 'email' | 'phone'>;

/** Fills in every required field that is empty, and leaves what was typed. */
export function withExamples(values: FormValues, account: Contact | undefined): FormValues {
  const typed = values.applicationType === '' ? withType(values, 'web') : values;
  const isService = typed.applicationType === 'service';
  const examples: Readonly<Partial<Record<ConfigurationField, FormValue>>> = {
    applicationName: name,
    products: [isService ? 'provider-directory' : 'patient-access'],
    linesOfBusiness: ['DSNP'],
    ...addresses,
    contactEmail: account?.email ?? '',
    supportPhone: isWhole(account?.phone) ? account.phone : phone,
  };
  const filled = Object.entries(examples).filter(
    ([field]) => isAskedFor(field, typed) && isEmpty(typed[field as ConfigurationField]),
  );
  return { ...typed, ...Object.fromEntries(filled) };
}

function isEmpty(value: FormValue): boolean {
  if (typeof value === 'boolean') return false;
  return typeof value === 'string' ? value.trim() === '' : value.every((one) => one.trim() === '');
}

/** Whether a phone number is shown whole; an account that isn't active has its last digits only. */
function isWhole(number: string | undefined): number is string {
  return number !== undefined && /^\+1\d{10}$/.test(number);
}

/** Says of a field's value that it is an example, and what production needs; undefined for a value of the developer's own. */
export function exampleWords(
  field: ConfigurationField,
  value: unknown,
  account: Contact | undefined,
): string | undefined {
  if (field in addresses) {
    const known = addresses[field as keyof typeof addresses];
    return String(value) === String(known) ? 'Example. Replace it before production.' : undefined;
  }
  if (field === 'applicationName') return value === name ? 'Example. Members see this name.' : undefined;
  if (field === 'supportPhone' && value === phone)
    return 'Example. Nobody answers. Replace it before production.';
  const own = { contactEmail: account?.email, supportPhone: account?.phone }[field as string];
  return own !== undefined && value === own ? 'From your account. Members see it in production.' : undefined;
}
