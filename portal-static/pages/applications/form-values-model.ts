/** Converts between the values of the configuration form and an application's configuration. */

import {
  memberAddresses,
  type ScreenName,
  screenNames,
} from '../../../lambdas/portal/api/application-screens.ts';
import type {
  ApplicationConfiguration,
  ConfigurationField,
  FieldIssue,
} from '../../../lambdas/portal/api/applications.ts';
import {
  type ApplicationType,
  applicationTypes,
} from '../../../lambdas/portal/catalog/application-states.ts';
import { applicationFields, fieldsOf } from './fields-model.ts';

/** An entered value, as controls and drafts hold it. */
export type FormValue = string | boolean | readonly string[];
export type FormValues = Readonly<Record<ConfigurationField, FormValue>>;

const empty: Readonly<Record<string, FormValue>> = { 'yes-no': true, 'some-of': [], addresses: [''] };

/** Values of an empty form. PKCE is on, which is the recommended default. */
export function blankValues(): FormValues {
  return Object.fromEntries(
    applicationFields.map(({ name, control }) => [name, empty[control] ?? '']),
  ) as unknown as FormValues;
}

/** Form values of a configuration or a draft. Fields that are missing or of another type stay empty. */
export function formValues(known: Readonly<Record<string, unknown>>): FormValues {
  const blank = blankValues();
  return Object.fromEntries(
    Object.entries(blank).map(([name, initial]) => {
      const value = name === 'jwks' ? keySetText(known.jwks) : known[name];
      const fits = Array.isArray(initial) ? Array.isArray(value) : typeof value === typeof initial;
      const filled =
        Array.isArray(value) && name === 'loginRedirectUris' && value.length === 0 ? [''] : value;
      return [name, fits ? filled : initial];
    }),
  ) as unknown as FormValues;
}

/** Formats a JWK Set as JSON for its text field; a draft's text is returned unchanged. */
function keySetText(jwks: unknown): unknown {
  return typeof jwks === 'object' && jwks !== null ? JSON.stringify(jwks, null, 2) : jwks;
}

/** Parses an entered JWK Set. Text that is not JSON is returned as text, so that the schema reports the error. */
function keySetOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Whether a field applies to the selected values: keys to the method `private_key_jwt`, sign-in addresses to every type but a back-end
 * service.
 */
export function isAskedFor(
  name: string,
  values: Pick<FormValues, 'applicationType' | 'tokenEndpointAuthMethod'>,
) {
  if (keyFields.includes(name)) return values.tokenEndpointAuthMethod === 'private_key_jwt';
  return values.applicationType !== 'service' || !memberAddresses.some((one) => one === name);
}

/** Removes empty rows of the redirect URIs but keeps at least one row, so that row numbers match array indexes in the request. */
export function withoutBlankRows(values: FormValues): FormValues {
  const rows = (values.loginRedirectUris as readonly string[]).filter((row) => row.trim() !== '');
  return { ...values, loginRedirectUris: rows.length === 0 ? [''] : rows };
}

/** Makes the request's configuration. Leaves out empty values, so that the schema reports them as missing. */
export function configurationOf(values: FormValues): Readonly<Record<string, unknown>> {
  const filled = Object.entries(withoutBlankRows(values)).flatMap(([name, value]): [string, unknown][] => {
    if (!keyFields.includes(name) && !isAskedFor(name, values)) return [];
    if (typeof value === 'string') {
      const text = value.trim();
      return text === '' ? [] : [[name, name === 'jwks' ? keySetOf(text) : text]];
    }
    if (typeof value === 'boolean') return [[name, value]];
    const some = value.map((one) => one.trim()).filter((one) => one !== '');
    return some.length === 0 ? [] : [[name, some]];
  });
  return Object.fromEntries(filled);
}

/** Values of a draft. The JWK Set is kept as entered, because it may be incomplete. */
export function draftOf(values: FormValues): Readonly<Record<string, unknown>> {
  const { jwks, ...configuration } = configurationOf(values);
  return jwks === undefined ? configuration : { ...configuration, jwks: String(values.jwks) };
}

/** The screen of a field; the first screen for an unknown name. */
export function screenOf(field: string): ScreenName {
  return screenNames.find((screen) => fieldsOf(screen).some(({ name }) => name === field)) ?? 'registration';
}

/** Groups issues by field, with the row number for fields that have rows. */
export function issuesByField(
  issues: readonly FieldIssue[],
): Readonly<Record<string, readonly { readonly row?: number; readonly message: string }[]>> {
  const byField: Record<string, { row?: number; message: string }[]> = {};
  for (const { path, message } of issues) {
    const [field, row] = path;
    const entry = typeof row === 'number' ? { row, message } : { message };
    byField[String(field)] = [...(byField[String(field)] ?? []), entry];
  }
  return byField;
}

type Followed = Pick<
  ApplicationConfiguration,
  'grantType' | 'responseType' | 'tokenEndpointAuthMethod' | 'pkce'
>;

/** Values that an application's type requires or usually has. */
export function choicesFor(type: ApplicationType): Followed {
  const service = type === 'service';
  return {
    grantType: service ? 'client_credentials' : 'authorization_code',
    responseType: service ? 'none' : 'code',
    tokenEndpointAuthMethod: applicationTypes[type].confidential ? 'client_secret_basic' : 'none',
    pkce: true,
  };
}

/** Empty values of the fields that apply to `private_key_jwt` only. */
export const withoutKeys = { jwksUri: '', jwks: '' } as const;
export const keyFields: readonly string[] = Object.keys(withoutKeys);
/** Fields that apply to some applications only. */
export const sometimesAsked: readonly string[] = [...keyFields, ...memberAddresses];

/** The form's values after a type was selected. A selected authentication method stays if it fits the type. */
export function withType(values: FormValues, type: ApplicationType): FormValues {
  const follow = choicesFor(type);
  const method = values.tokenEndpointAuthMethod as string;
  const fits = method !== '' && (method === 'none') === !applicationTypes[type].confidential;
  return {
    ...values,
    applicationType: type,
    ...follow,
    tokenEndpointAuthMethod: fits ? method : follow.tokenEndpointAuthMethod,
    ...(fits && method === 'private_key_jwt' ? {} : withoutKeys),
  };
}

/** Whether an option is allowed for the application's type. */
export function isOpen(field: ConfigurationField, option: string, type: string): boolean {
  if (!(type in applicationTypes)) return true;
  const known = type as ApplicationType;
  if (field === 'grantType' || field === 'responseType') return choicesFor(known)[field] === option;
  if (field === 'tokenEndpointAuthMethod') {
    return (option === 'none') !== applicationTypes[known].confidential;
  }
  return true;
}

/** Explains the values that follow from the application's type; undefined while no type is selected. */
export function whyChosen(type: string): string | undefined {
  if (!(type in applicationTypes)) return undefined;
  const words: Readonly<Record<ApplicationType, string>> = {
    web: 'A server can keep a secret, so we selected authorization_code with HTTP Basic and PKCE. You can choose another method. If your library does not support PKCE, clear it and send state with every request.',
    'single-page':
      'An application in a browser cannot keep a secret, so we selected authorization_code with PKCE and no authentication at the token endpoint.',
    native:
      'An installed application cannot keep a secret, so we selected authorization_code with PKCE and no authentication at the token endpoint.',
    service:
      'No member signs in, so we selected client_credentials. The service makes no authorization requests and authenticates with a secret or its own key.',
  };
  return words[type as ApplicationType];
}
