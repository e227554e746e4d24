/** Table of an application's fields as the form shows them. */

import {
  type Interface,
  interfaceFamilies,
  interfaceNames,
} from '../../../lambdas/catalog/interface-families.ts';
import { lineOfBusinessCodes, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ScreenName } from '../../../lambdas/portal/api/application-screens.ts';
import type { ConfigurationField } from '../../../lambdas/portal/api/applications.ts';
import { fieldLabels } from '../../../lambdas/portal/api/field-labels.ts';
import {
  applicationTypeNames,
  applicationTypes,
} from '../../../lambdas/portal/catalog/application-states.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';

/**
 * An option of a choice field. The tables below define an application's fields for people: screen, order, labels and controls. The labels
 * are those of docs/service.md S3.1 and S3.2. Validity is defined only in `lambdas/portal/api/applications.ts`.
 */
export interface FieldOption {
  readonly value: string;
  readonly label: string;
  readonly explanation: string;
}

export type FieldControl =
  | 'line'
  | 'paragraph'
  | 'address'
  | 'addresses'
  | 'key-set'
  | 'email'
  | 'phone'
  | 'one-of'
  | 'some-of'
  | 'yes-no';

export interface FieldDescription {
  readonly name: ConfigurationField;
  readonly screen: ScreenName;
  readonly label: string;
  readonly hint: string;
  readonly control: FieldControl;
  readonly required: boolean;
  readonly options?: readonly FieldOption[];
  /** HTML `autocomplete` (WCAG 1.3.5), where the browser may know the value. */
  readonly autocomplete?: string;
}

const productWords: Readonly<Record<Interface, string>> = {
  'patient-access': 'A member’s own health plan data, after the member consents.',
  'payer-access': 'Data for a member’s next health plan. Back-end services with private_key_jwt only.',
  'provider-directory': 'Doctors, hospitals and networks. It has no member data.',
};

const typeWords: Readonly<Record<keyof typeof applicationTypes, string>> = {
  web: 'Your server delivers the pages and keeps the client secret.',
  'single-page': 'The application runs in the member’s browser and has no secret.',
  native: 'The application is installed on a phone or computer and has no secret.',
  service: 'Your server calls the service without a member signing in.',
};

const registration: readonly Omit<FieldDescription, 'screen' | 'label'>[] = [
  {
    name: 'applicationName',
    hint: 'A name for your team and the operators.',
    control: 'line',
    required: true,
  },
  {
    name: 'displayName',
    hint: 'The name members see when the application asks for their data. If empty, members see the application name.',
    control: 'line',
    required: false,
  },
  {
    name: 'applicationType',
    hint: 'The type determines whether the application can keep a secret.',
    control: 'one-of',
    required: true,
    options: applicationTypeNames.map((value) => ({
      value,
      label: applicationTypes[value].name,
      explanation: typeWords[value],
    })),
  },
  {
    name: 'grantType',
    hint: 'How your application gets access tokens (RFC 6749).',
    control: 'one-of',
    required: true,
    options: [
      {
        value: 'authorization_code',
        label: 'authorization_code',
        explanation: 'A member signs in and consents. The sandbox requires this grant for member data.',
      },
      {
        value: 'client_credentials',
        label: 'client_credentials',
        explanation: 'Your back-end service acts on its own behalf, without a member.',
      },
    ],
  },
  {
    name: 'responseType',
    hint: 'The response your authorization requests ask for.',
    control: 'one-of',
    required: true,
    options: [
      { value: 'code', label: 'code', explanation: 'The response contains an authorization code.' },
      { value: 'none', label: 'none', explanation: 'The application makes no authorization requests.' },
    ],
  },
  {
    name: 'tokenEndpointAuthMethod',
    hint: 'How your application authenticates at the token endpoint.',
    control: 'one-of',
    required: true,
    options: [
      {
        value: 'client_secret_basic',
        label: 'client_secret_basic',
        explanation: 'Client ID and secret in HTTP Basic. Most applications with a server use this.',
      },
      {
        value: 'client_secret_post',
        label: 'client_secret_post',
        explanation: 'Client ID and secret in the request body.',
      },
      {
        value: 'private_key_jwt',
        label: 'private_key_jwt',
        explanation: 'An assertion signed with your own key. There is no shared secret.',
      },
      {
        value: 'none',
        label: 'none',
        explanation: 'For an application that cannot keep a secret. PKCE protects it.',
      },
    ],
  },
  {
    name: 'jwksUri',
    hint: 'The address where you publish your public keys as a JWK Set. You can rotate keys there without changing the application. Enter this or the keys below.',
    control: 'address',
    required: false,
  },
  {
    name: 'jwks',
    hint: 'Your public keys (RFC 7517), if you do not publish them at an address.',
    control: 'key-set',
    required: false,
  },
  {
    name: 'pkce',
    hint: 'Proof Key for Code Exchange (RFC 7636, S256) makes a stolen authorization code useless.',
    control: 'yes-no',
    required: false,
  },
  {
    name: 'description',
    hint: 'Describe in a few sentences what the application does for a member. At most 1000 characters.',
    control: 'paragraph',
    required: false,
  },
  {
    name: 'products',
    hint: 'The interfaces your application calls. You test each one before production.',
    control: 'some-of',
    required: true,
    options: interfaceNames.map((value) => ({
      value,
      label: interfaceFamilies[value].name,
      explanation: productWords[value],
    })),
  },
  {
    name: 'linesOfBusiness',
    hint: 'The health plans whose members your application serves. Each has its own host.',
    control: 'some-of',
    required: true,
    options: lineOfBusinessCodes.map((value) => ({
      value,
      label: value,
      explanation: linesOfBusiness[value].name,
    })),
  },
];

const uris: readonly Omit<FieldDescription, 'screen' | 'label'>[] = [
  {
    name: 'applicationUri',
    hint: 'Your application’s home page, like https://app.example.org/',
    control: 'address',
    required: true,
    autocomplete: 'url',
  },
  {
    name: 'loginInitiateUri',
    hint: 'The address where a member starts to sign in at your application. The page “Apps and plans you share with” links to it and adds our issuer as iss (OpenID Connect Core section 4).',
    control: 'address',
    required: true,
  },
  {
    name: 'loginRedirectUris',
    hint: `The addresses that receive the authorization code. Requests must match one of them exactly. Enter at most ${portalLimits.redirectUris}. In the sandbox, http://localhost also works. A mobile or desktop application can use a private scheme (com.example.app:/callback) or http://127.0.0.1/callback with any port.`,
    control: 'addresses',
    required: true,
  },
  {
    name: 'logoutRedirectUri',
    hint: 'The address a member returns to after your application signs them out: the post_logout_redirect_uri of RP-initiated logout.',
    control: 'address',
    required: true,
  },
  {
    name: 'attestationCertsUri',
    hint: 'The address of certificates or audit reports about your application.',
    control: 'address',
    required: false,
  },
  {
    name: 'privacyUri',
    hint: 'Your privacy policy. Members can open it before they consent.',
    control: 'address',
    required: true,
  },
  {
    name: 'tosUri',
    hint: 'Your terms of service.',
    control: 'address',
    required: true,
  },
];

const contact: readonly Omit<FieldDescription, 'screen' | 'label'>[] = [
  {
    name: 'contactEmail',
    hint: 'We send messages about this application to this address.',
    control: 'email',
    required: true,
    autocomplete: 'email',
  },
  {
    name: 'supportPhone',
    hint: 'A number that members can call with questions, like 202-555-0123.',
    control: 'phone',
    required: true,
    autocomplete: 'tel-national',
  },
];

const on = (screen: ScreenName, described: readonly Omit<FieldDescription, 'screen' | 'label'>[]) =>
  described.map((field): FieldDescription => ({ ...field, screen, label: fieldLabels[field.name] }));

/** Every field, in the order of the form. */
export const applicationFields: readonly FieldDescription[] = [
  ...on('registration', registration),
  ...on('uris', uris),
  ...on('contact', contact),
];

export const screenTitles: Readonly<Record<ScreenName, { readonly title: string; readonly lead: string }>> = {
  registration: {
    title: 'Registration',
    lead: 'Describe your application and the interfaces it calls.',
  },
  uris: {
    title: 'URIs',
    lead: 'Enter the addresses of your application.',
  },
  contact: {
    title: 'Contact',
    lead: 'Enter contact details for members and operators.',
  },
};

export function fieldsOf(screen: ScreenName): readonly FieldDescription[] {
  return applicationFields.filter((field) => field.screen === screen);
}

/**
 * Finds a field by its name.
 *
 * @throws Error for an unknown name, which is a defect.
 */
export function fieldNamed(name: ConfigurationField): FieldDescription {
  const found = applicationFields.find((field) => field.name === name);
  if (found === undefined) throw new Error(`no field ${name}`);
  return found;
}

/** The label of a field; for an unknown field name from the API the name itself. */
export function labelOf(name: string): string {
  return applicationFields.find((field) => field.name === name)?.label ?? name;
}
