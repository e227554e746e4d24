import { type Interface, interfaceNames, interfaces } from '../../../lambdas/catalog/interfaces.ts';
import { lineOfBusinessCodes, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ConfigurationField, ScreenName } from '../../../lambdas/portal/api/applications.ts';
import { fieldLabels } from '../../../lambdas/portal/api/field-labels.ts';
import { applicationTypeNames, applicationTypes } from '../../../lambdas/portal/catalog/applications.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';

/**
 * An application's fields as people see them: on which screen, in which order, with which words and control. The labels are
 * the service description's ("Application (portal)"); what is valid is `lambdas/portal/api/applications.ts`'s alone.
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
  'patient-access': 'A member’s own record, after the member agrees to share it.',
  'payer-access': 'What a member’s next health plan needs. Its metadata can be read today.',
  'provider-directory': 'Doctors, hospitals and networks. It holds nothing about members.',
};

const typeWords: Readonly<Record<keyof typeof applicationTypes, string>> = {
  web: 'Pages come from your server, and the client secret stays on it.',
  'single-page': 'Everything runs in the member’s browser, so there is no secret to keep.',
  native: 'Installed on a phone or computer, where a secret could be read out.',
  service: 'A program of yours calls us by itself. Nobody signs in.',
};

const registration: readonly Omit<FieldDescription, 'screen' | 'label'>[] = [
  {
    name: 'applicationName',
    hint: 'What your team calls it. Operators and your team see it.',
    control: 'line',
    required: true,
  },
  {
    name: 'displayName',
    hint: 'The name members see when they are asked to share their data. Empty: the application name.',
    control: 'line',
    required: false,
  },
  {
    name: 'applicationType',
    hint: 'Where your application runs decides whether it can keep a secret.',
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
        explanation: 'A member signs in and agrees. The sandbox requires it for member data.',
      },
      {
        value: 'client_credentials',
        label: 'client_credentials',
        explanation: 'Your back-end service acts for itself, without a member.',
      },
    ],
  },
  {
    name: 'responseType',
    hint: 'What the authorization request asks for.',
    control: 'one-of',
    required: true,
    options: [
      { value: 'code', label: 'code', explanation: 'The answer brings an authorization code.' },
      { value: 'none', label: 'none', explanation: 'There is no authorization request.' },
    ],
  },
  {
    name: 'tokenEndpointAuthMethod',
    hint: 'How your application proves who it is at the token endpoint.',
    control: 'one-of',
    required: true,
    options: [
      {
        value: 'client_secret_basic',
        label: 'client_secret_basic',
        explanation: 'Client id and secret by HTTP Basic. The usual choice with a server.',
      },
      {
        value: 'client_secret_post',
        label: 'client_secret_post',
        explanation: 'Client id and secret in the body of the request.',
      },
      {
        value: 'private_key_jwt',
        label: 'private_key_jwt',
        explanation: 'A short statement signed by your own key. No secret is shared.',
      },
      {
        value: 'none',
        label: 'none',
        explanation: 'For an application that cannot keep a secret; PKCE protects it.',
      },
    ],
  },
  {
    name: 'jwksUri',
    hint: 'Where your public keys are published as a JWK Set, so that you can change them without us. This, or the keys below.',
    control: 'address',
    required: false,
  },
  {
    name: 'jwks',
    hint: 'Your public keys themselves (RFC 7517), where they are published nowhere.',
    control: 'key-set',
    required: false,
  },
  {
    name: 'pkce',
    hint: 'Proof Key for Code Exchange (RFC 7636, S256): a stolen authorization code is of no use.',
    control: 'yes-no',
    required: false,
  },
  {
    name: 'description',
    hint: 'What it does for a member, in a few sentences. At most 1000 characters.',
    control: 'paragraph',
    required: false,
  },
  {
    name: 'products',
    hint: 'The interfaces your application will call. You test each of them before production.',
    control: 'some-of',
    required: true,
    options: interfaceNames.map((value) => ({
      value,
      label: interfaces[value].name,
      explanation: productWords[value],
    })),
  },
  {
    name: 'linesOfBusiness',
    hint: 'The health plans whose members your application serves. Each one has a host of its own.',
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
    hint: 'Where a member begins to sign in at your application. The page of the apps a member shares with has a link there, with our issuer as iss (OpenID Connect Core section 4).',
    control: 'address',
    required: true,
  },
  {
    name: 'loginRedirectUris',
    hint: `Where the authorization code is sent. Compared letter by letter. At most ${portalLimits.redirectUris}; in the sandbox http://localhost works too. A mobile or desktop application may have a scheme of its own (com.example.app:/callback) or http://127.0.0.1/callback, whose port may be any.`,
    control: 'addresses',
    required: true,
  },
  {
    name: 'logoutRedirectUri',
    hint: 'Where a member goes after your application signed them out here: the post_logout_redirect_uri of RP-initiated logout.',
    control: 'address',
    required: true,
  },
  {
    name: 'attestationCertsUri',
    hint: 'Where certificates or audit reports about your application can be read.',
    control: 'address',
    required: false,
  },
  {
    name: 'privacyUri',
    hint: 'Your privacy policy. Members can open it before they agree.',
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
    hint: 'Where we write about this application.',
    control: 'email',
    required: true,
    autocomplete: 'email',
  },
  {
    name: 'supportPhone',
    hint: 'A number that members with a question can call, like 202-555-0123.',
    control: 'phone',
    required: true,
    autocomplete: 'tel-national',
  },
];

const on = (screen: ScreenName, described: readonly Omit<FieldDescription, 'screen' | 'label'>[]) =>
  described.map((field): FieldDescription => ({ ...field, screen, label: fieldLabels[field.name] }));

/** Every field, in the order it is asked for. */
export const applicationFields: readonly FieldDescription[] = [
  ...on('registration', registration),
  ...on('uris', uris),
  ...on('contact', contact),
];

export const screenTitles: Readonly<Record<ScreenName, { readonly title: string; readonly lead: string }>> = {
  registration: {
    title: 'Registration',
    lead: 'What your application is, and what it will call.',
  },
  uris: {
    title: 'URIs',
    lead: 'Where your application is, and where members and codes are sent.',
  },
  contact: {
    title: 'Contact',
    lead: 'How members and we reach somebody who answers for it.',
  },
};

export function fieldsOf(screen: ScreenName): readonly FieldDescription[] {
  return applicationFields.filter((field) => field.screen === screen);
}

/** @throws Error for a name that is no field: a defect. */
export function fieldNamed(name: ConfigurationField): FieldDescription {
  const found = applicationFields.find((field) => field.name === name);
  if (found === undefined) throw new Error(`no field ${name}`);
  return found;
}

/** The label of a field by a name that came from elsewhere; the name itself where it is none of ours. */
export function labelOf(name: string): string {
  return applicationFields.find((field) => field.name === name)?.label ?? name;
}
