/** Checks the configuration form by the API's own schema. Loaded after the form is shown, because the schema is longer than the form. */

import type { Environment } from '../../../lambdas/catalog/environments.ts';
import type { ScreenName } from '../../../lambdas/portal/api/application-screens.ts';
import { type FieldIssue, readConfiguration } from '../../../lambdas/portal/api/applications.ts';
import { applicationTypeNames } from '../../../lambdas/portal/catalog/application-states.ts';
import { fieldsOf } from './fields-model.ts';
import { choicesFor, configurationOf, type FormValues } from './form-values-model.ts';

/** Valid values for the screens that the person has not filled in yet. */
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
 * Lists the issues of one screen: its schema's first, then those of rules between fields. Valid values stand in for the other screens, so
 * that only the screen's own issues are found.
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

/** Lists the issues of the whole form. */
export function allIssues(values: FormValues, environment: Environment): readonly FieldIssue[] {
  const read = readConfiguration(configurationOf(values), environment);
  return read.kind === 'configuration' ? [] : read.issues;
}
