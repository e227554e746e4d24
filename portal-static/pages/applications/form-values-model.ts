/** Values of the configuration form, to and from an application. */

import type { Environment } from '../../../lambdas/catalog/environments.ts';
import {
  type ApplicationConfiguration,
  type ConfigurationField,
  type FieldIssue,
  memberAddresses,
  readConfiguration,
  type ScreenName,
  screens,
} from '../../../lambdas/portal/api/applications.ts';
import {
  type ApplicationType,
  applicationTypeNames,
  applicationTypes,
} from '../../../lambdas/portal/catalog/application-states.ts';
import { applicationFields, fieldsOf } from './fields-model.ts';

/** Entered values, as the controls hold them and a draft keeps them. */
export type FormValue = string | boolean | readonly string[];
export type FormValues = Readonly<Record<ConfigurationField, FormValue>>;

const empty: Readonly<Record<string, FormValue>> = { 'yes-no': true, 'some-of': [], addresses: [''] };

/** A form nobody has touched. PKCE is on: it is the default the service recommends. */
export function blankValues(): FormValues {
  return Object.fromEntries(
    applicationFields.map(({ name, control }) => [name, empty[control] ?? '']),
  ) as unknown as FormValues;
}

/** The form of a configuration, or of a draft: what is unknown or of another kind stays blank. */
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

/** A JWK Set as it is typed; a draft holds what was typed. */
function keySetText(jwks: unknown): unknown {
  return typeof jwks === 'object' && jwks !== null ? JSON.stringify(jwks, null, 2) : jwks;
}

/** Parses an entered JWK Set; text that isn't JSON stays text, so that the schema names what it expects. */
function keySetOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether a field applies to the current choices: keys to their method, sign-in addresses to a type that signs in. */
export function isAskedFor(
  name: string,
  values: Pick<FormValues, 'applicationType' | 'tokenEndpointAuthMethod'>,
) {
  if (keyFields.includes(name)) return values.tokenEndpointAuthMethod === 'private_key_jwt';
  return values.applicationType !== 'service' || !memberAddresses.some((one) => one === name);
}

/** Rows left empty among the redirect URIs go, one stays: so the rows' numbers are those of the request. */
export function withoutBlankRows(values: FormValues): FormValues {
  const rows = (values.loginRedirectUris as readonly string[]).filter((row) => row.trim() !== '');
  return { ...values, loginRedirectUris: rows.length === 0 ? [''] : rows };
}

/** The request's configuration. What is empty is left out, so that the schema says what it expects. */
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

/** Values of a draft: a key set as entered, because it may still be incomplete. */
export function draftOf(values: FormValues): Readonly<Record<string, unknown>> {
  const { jwks, ...configuration } = configurationOf(values);
  return jwks === undefined ? configuration : { ...configuration, jwks: String(values.jwks) };
}

/** Valid values that break no rule, for the screens that are not reached yet. */
const anAddress = 'https://app.example.org/';
const later = {
  uris: {
    applicationUri: anAddress,
    loginInitiateUri: anAddress,
    loginRedirectUris: [anAddress],
    logoutRedirectUri: anAddress,
    privacyUri: anAddress,
    tosUri: anAddress,
  },
  contact: { contactEmail: 'name@example.org', supportPhone: '202-555-0123' },
} as const;

const aRegistration = {
  applicationName: 'Application',
  applicationType: 'web',
  grantType: 'authorization_code',
  responseType: 'code',
  tokenEndpointAuthMethod: 'client_secret_basic',
  pkce: true,
  products: ['patient-access'],
  linesOfBusiness: ['DSNP'],
} as const;

/**
 * Issues of one screen: its own schema first, then the rules between its fields. The other screens count as valid, so that
 * a page reports its own fields only.
 */
export function screenIssues(
  screen: ScreenName,
  values: FormValues,
  environment: Environment,
): readonly FieldIssue[] {
  const names = fieldsOf(screen).map(({ name }) => name as string);
  const configuration = configurationOf(values);
  const own = Object.fromEntries(Object.entries(configuration).filter(([name]) => names.includes(name)));
  const type = applicationTypeNames.find((one) => one === values.applicationType) ?? 'web';
  const registration = { ...aRegistration, applicationType: type, ...choicesFor(type) };
  const others = { registration, ...later, [screen]: own };
  const whole = { ...others.registration, ...others.uris, ...others.contact };
  const read = readConfiguration(whole, environment);
  if (read.kind === 'configuration') return [];
  return read.issues.filter(({ path }) => names.includes(String(path[0])));
}

/** Issues of the whole form. */
export function allIssues(values: FormValues, environment: Environment): readonly FieldIssue[] {
  const read = readConfiguration(configurationOf(values), environment);
  return read.kind === 'configuration' ? [] : read.issues;
}

/** The screen a field is on; the first one for a name that is no field. */
export function screenOf(field: string): ScreenName {
  const names = Object.keys(screens) as readonly ScreenName[];
  return names.find((screen) => fieldsOf(screen).some(({ name }) => name === field)) ?? 'registration';
}

/** Issues by field, each with the row it is about where the field has rows. */
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

/** Values that follow from an application's type: choices that the type requires, or that are usual for it. */
export function choicesFor(type: ApplicationType): Followed {
  const service = type === 'service';
  return {
    grantType: service ? 'client_credentials' : 'authorization_code',
    responseType: service ? 'none' : 'code',
    tokenEndpointAuthMethod: applicationTypes[type].confidential ? 'client_secret_basic' : 'none',
    pkce: true,
  };
}

/** Fields that apply to `private_key_jwt` only. */
export const withoutKeys = { jwksUri: '', jwks: '' } as const;
export const keyFields: readonly string[] = Object.keys(withoutKeys);
/** Fields that are asked for of some applications only. */
export const sometimesAsked: readonly string[] = [...keyFields, ...memberAddresses];

/** The form after a type was chosen. A method that fits the type stays as it was chosen. */
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

/** Whether a choice is allowed for the application's type. */
export function isOpen(field: ConfigurationField, option: string, type: string): boolean {
  if (!(type in applicationTypes)) return true;
  const known = type as ApplicationType;
  if (field === 'grantType' || field === 'responseType') return choicesFor(known)[field] === option;
  if (field === 'tokenEndpointAuthMethod') {
    return (option === 'none') !== applicationTypes[known].confidential;
  }
  return true;
}

/** Why the choices below the type are as they are; undefined while no type is chosen. */
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
