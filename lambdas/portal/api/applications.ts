/** Schema of an application's configuration, and the rules between its fields. */

import * as z from 'zod/mini';
import type { Environment } from '../../catalog/environments.ts';
import { interfaceNames, offers } from '../../catalog/interface-families.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { clientJwks, privateMembers } from '../../catalog/oauth/client-jwks.ts';
import { isNativeUri } from '../../catalog/oauth/native-redirect-uris.ts';
import { applicationTypeNames, applicationTypes, responseTypes } from '../catalog/application-states.ts';
import { portalLimits } from '../catalog/limits.ts';
import { memberAddresses, type ScreenName } from './application-screens.ts';
import {
  email,
  isLoopback,
  isWebAddress,
  line,
  paragraph,
  redirectAddress,
  usPhone,
  webAddress,
} from './fields.ts';

/**
 * An application's configuration as its developer enters it, on three screens. Source of the fields: docs/service.md S3.1, S3.2. The field
 * names are those of the portal's API and pages; `lambdas/portal/applications/registration.ts` maps them to a client registration (RFC 7591
 * names).
 */

export const portalGrantTypes = ['authorization_code', 'client_credentials'] as const;
export const portalAuthMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const;

const chooseOne = 'choose one';
const chooseAtLeastOne = 'choose at least one';

const registration = {
  applicationName: line('the name of the application'),
  /** The name that members see; the application's name if empty. */
  displayName: z.optional(line('the name members see')),
  applicationType: z.enum(applicationTypeNames, { error: chooseOne }),
  grantType: z.enum(portalGrantTypes, { error: chooseOne }),
  responseType: z.enum(responseTypes, { error: chooseOne }),
  tokenEndpointAuthMethod: z.enum(portalAuthMethods, { error: chooseOne }),
  /** JWK Set URL of an application that authenticates with `private_key_jwt` (RFC 7517). */
  jwksUri: z.optional(webAddress),
  /** The public keys by value, instead of `jwksUri` (RFC 7591 section 2). */
  jwks: z.optional(clientJwks),
  /** Whether PKCE is required. A confidential application that does without PKCE must send `state`. */
  pkce: z.boolean(),
  description: z.optional(paragraph('what the application does', 1000)),
  products: z
    .array(z.enum(interfaceNames, { error: chooseOne }), { error: chooseAtLeastOne })
    .check(z.minLength(1, { error: chooseAtLeastOne })),
  linesOfBusiness: z
    .array(z.enum(lineOfBusinessCodes, { error: chooseOne }), { error: chooseAtLeastOne })
    .check(z.minLength(1, { error: chooseAtLeastOne })),
};

const atLeastOneAddress = 'at least one address';

const uris = {
  applicationUri: webAddress,
  /**
   * `loginInitiateUri`, `loginRedirectUris` and `logoutRedirectUri` are for applications that members sign in to; a back-end service has
   * none.
   */
  loginInitiateUri: z.optional(webAddress),
  /** Compared with the request's `redirect_uri` by exact string match (RFC 9700 section 2.1). */
  loginRedirectUris: z.optional(
    z
      .array(redirectAddress, { error: atLeastOneAddress })
      .check(
        z.minLength(1, { error: atLeastOneAddress }),
        z.maxLength(portalLimits.redirectUris, { error: `at most ${portalLimits.redirectUris} addresses` }),
      ),
  ),
  logoutRedirectUri: z.optional(webAddress),
  attestationCertsUri: z.optional(webAddress),
  privacyUri: webAddress,
  tosUri: webAddress,
};

const contact = {
  contactEmail: email,
  supportPhone: usPhone,
};

/** The schemas of the three screens. */
export const screens = {
  registration: z.strictObject(registration),
  uris: z.strictObject(uris),
  contact: z.strictObject(contact),
} as const satisfies Readonly<Record<ScreenName, z.ZodMiniType>>;

const fields = z.strictObject({ ...registration, ...uris, ...contact });
export type ApplicationConfiguration = z.infer<typeof fields>;
export type ConfigurationField = keyof ApplicationConfiguration;
export const configurationFieldNames = Object.keys(fields.shape) as ConfigurationField[];

export interface FieldIssue {
  /** Path of the field, e.g. `['loginRedirectUris', 0]`. */
  readonly path: readonly (string | number)[];
  /** The expected value, in words. */
  readonly message: string;
}

type Rule = (it: ApplicationConfiguration, environment: Environment) => readonly FieldIssue[];

const rule =
  (path: ConfigurationField, message: string, broken: (it: ApplicationConfiguration) => boolean): Rule =>
  (it) =>
    broken(it) ? [{ path: [path], message }] : [];

const uriFields = [
  'applicationUri',
  'loginInitiateUri',
  'logoutRedirectUri',
  'attestationCertsUri',
  'privacyUri',
  'tosUri',
  'jwksUri',
] as const;

/** Rules between fields. Those of the first screen come first, so that a page can show the issues of its own screen. */
const rules: readonly Rule[] = [
  rule(
    'grantType',
    'choose client_credentials for a back-end service and authorization_code for all other types',
    (it) => (it.grantType === 'client_credentials') !== (it.applicationType === 'service'),
  ),
  rule(
    'responseType',
    'choose code for authorization_code and none for client_credentials',
    (it) => (it.responseType === 'code') !== (it.grantType === 'authorization_code'),
  ),
  rule(
    'tokenEndpointAuthMethod',
    'choose none for an application that cannot keep a secret and another method for all other types',
    (it) => (it.tokenEndpointAuthMethod === 'none') === applicationTypes[it.applicationType].confidential,
  ),
  rule(
    'tokenEndpointAuthMethod',
    'choose private_key_jwt, which Payer Access requires of a back-end service',
    (it) =>
      it.grantType === 'client_credentials' &&
      it.products.includes('payer-access') &&
      it.tokenEndpointAuthMethod !== 'private_key_jwt',
  ),
  rule(
    'jwksUri',
    'the address of your keys or the keys themselves, which private_key_jwt requires',
    (it) =>
      it.tokenEndpointAuthMethod === 'private_key_jwt' && it.jwksUri === undefined && it.jwks === undefined,
  ),
  rule(
    'jwks',
    'leave this empty when you give the address of your keys',
    (it) => it.jwksUri !== undefined && it.jwks !== undefined,
  ),
  rule(
    'jwks',
    'use each kid only once',
    ({ jwks }) => new Set(jwks?.keys.map(({ kid }) => kid)).size < (jwks?.keys.length ?? 0),
  ),
  rule(
    'jwksUri',
    'leave this empty unless the method is private_key_jwt',
    (it) => it.tokenEndpointAuthMethod !== 'private_key_jwt' && it.jwksUri !== undefined,
  ),
  rule(
    'jwks',
    'leave this empty unless the method is private_key_jwt',
    (it) => it.tokenEndpointAuthMethod !== 'private_key_jwt' && it.jwks !== undefined,
  ),
  rule(
    'pkce',
    'select this for an application that cannot keep a secret (RFC 9700 section 2.1.1)',
    (it) => it.tokenEndpointAuthMethod === 'none' && !it.pkce,
  ),
  rule('products', 'choose each one only once', (it) => new Set(it.products).size < it.products.length),
  rule(
    'linesOfBusiness',
    'choose each one only once',
    (it) => new Set(it.linesOfBusiness).size < it.linesOfBusiness.length,
  ),
  (it) =>
    it.products
      .filter((product) => !it.linesOfBusiness.some((lob) => offers(lob, product)))
      .map((product) => ({
        path: ['products'],
        message: `choose a line of business that offers ${product}`,
      })),
  rule(
    'loginRedirectUris',
    'use each address only once',
    ({ loginRedirectUris: uris = [] }) => new Set(uris).size < uris.length,
  ),
  ({ loginRedirectUris = [] }) =>
    loginRedirectUris.flatMap((uri, index) =>
      answerParameters.some((name) => new URL(uri).searchParams.has(name))
        ? [
            {
              path: ['loginRedirectUris', index],
              message: `an address without the parameters ${answerParameters.join(', ')}`,
            },
          ]
        : [],
    ),
  (it, environment) =>
    (it.loginRedirectUris ?? []).flatMap((uri, index) =>
      it.applicationType === 'native' || !isNativeUri(uri) || (environment === 'sandbox' && isWebAddress(uri))
        ? []
        : [{ path: ['loginRedirectUris', index], message: nativeOnly }],
    ),
  (it, environment) => (environment === 'production' ? httpsIssues(it) : []),
];

/** Parameters of authorization responses (RFC 6749 section 4.1.2, RFC 9207), which a redirect URI must not have. */
const answerParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];

/** Message for a redirect URI that only a mobile or desktop application may have (RFC 8252 section 7). */
const nativeOnly =
  'an address that starts with https://. Only mobile and desktop applications can use a private scheme or localhost';

function httpsIssues(it: ApplicationConfiguration): FieldIssue[] {
  const message =
    'an https:// address with a host on the internet. Only the sandbox accepts http:// and localhost';
  const local = (uri: string | undefined) =>
    uri !== undefined && (uri.startsWith('http:') || isLoopback(new URL(uri).hostname));
  return [
    ...uriFields.filter((name) => local(it[name])).map((name) => ({ path: [name], message })),
    ...(it.loginRedirectUris ?? []).flatMap((uri, index) =>
      local(uri) && !isNativeUri(uri) ? [{ path: ['loginRedirectUris', index], message }] : [],
    ),
  ];
}

/**
 * Lists the missing addresses that every application but a back-end service must have, so that they are reported together with other
 * missing values.
 */
function missingAddresses(input: unknown): readonly FieldIssue[] {
  if (typeof input !== 'object' || input === null) return [];
  const it: Readonly<Partial<Record<ConfigurationField, unknown>>> = input;
  return memberAddresses
    .filter((name) => it.grantType !== 'client_credentials' && it[name] === undefined)
    .map((name) => ({
      path: [name],
      message: name === 'loginRedirectUris' ? atLeastOneAddress : 'an address that starts with https://',
    }));
}

/** Parses a whole configuration for one environment, and returns the configuration or every issue found. */
export function readConfiguration(
  input: unknown,
  environment: Environment,
):
  | { readonly kind: 'configuration'; readonly configuration: ApplicationConfiguration }
  | { readonly kind: 'issues'; readonly issues: readonly FieldIssue[] } {
  const parsed = z.safeParse(fields, input);
  const missing = missingAddresses(input);
  if (!parsed.success)
    return { kind: 'issues', issues: [...fieldIssues(parsed.error).map(ofKeySet), ...missing] };
  const issues = [...missing, ...rules.flatMap((check) => check(parsed.data, environment))];
  return issues.length === 0
    ? { kind: 'configuration', configuration: parsed.data }
    : { kind: 'issues', issues };
}

/** Reports any issue inside a JWK Set as an issue of the field `jwks`. */
function ofKeySet(issue: FieldIssue): FieldIssue {
  if (issue.path[0] !== 'jwks') return issue;
  const isPrivate = privateMembers.includes(String(issue.path.at(-1)));
  const message = isPrivate
    ? 'use public keys only. This key contains its private part, which must stay with you'
    : 'a JWK Set of public keys, each RSA of 2048 bits or more, P-256 or P-384, with a kid: {"keys":[{"kty":"EC","crv":"P-384","kid":"…","x":"…","y":"…"}]}';
  return { path: ['jwks'], message };
}

/** Converts zod's issues to field issues; an unknown field is an issue of that field. */
export function fieldIssues(error: z.core.$ZodError): FieldIssue[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          path: [...(issue.path as (string | number)[]), key],
          message: 'remove this field: it does not exist',
        }))
      : [{ path: issue.path as (string | number)[], message: issue.message }],
  );
}
