/** Request schemas of the application routes, and the rules between the fields of an application. */

import * as z from 'zod/mini';
import { type Environment, environments } from '../../catalog/environments.ts';
import { interfaceNames, offers } from '../../catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { clientJwks, privateMembers } from '../../catalog/oauth/client-jwks.ts';
import { isNativeUri } from '../../catalog/oauth/native-redirect-uris.ts';
import { applicationTypeNames, applicationTypes, responseTypes } from '../catalog/application-states.ts';
import { portalLimits } from '../catalog/limits.ts';
import {
  accepted,
  agreementVersion,
  email,
  isLoopback,
  isWebAddress,
  line,
  paragraph,
  presentPassword,
  recordVersion,
  redirectAddress,
  usPhone,
  webAddress,
} from './fields.ts';

/**
 * An application as its developer describes it, in three screens. Source of the fields: docs/service.md S3.1,
 * S3.2. The names here are the wire's and the pages'; `lambdas/portal/applications/registration.ts` turns them into the
 * registration an environment keeps (RFC 7591 names).
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
  /** The name that members see; the application name where empty. */
  displayName: z.optional(line('the name members see')),
  applicationType: z.enum(applicationTypeNames, { error: chooseOne }),
  grantType: z.enum(portalGrantTypes, { error: chooseOne }),
  responseType: z.enum(responseTypes, { error: chooseOne }),
  tokenEndpointAuthMethod: z.enum(portalAuthMethods, { error: chooseOne }),
  /** The address at which an application with `private_key_jwt` publishes its keys (RFC 7517 JWK Set). */
  jwksUri: z.optional(webAddress),
  /** Or its public keys themselves; one of the two (RFC 7591 section 2). */
  jwks: z.optional(clientJwks),
  /** A confidential application may do without PKCE, then it must send `state`. */
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
  /** This and the next two are an application's with a member present; a back-end service has none. */
  loginInitiateUri: z.optional(webAddress),
  /** Compared letter by letter with what the application sends (RFC 9700 section 2.1). */
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

/** The three screens, in their order; a page checks its own before the next one opens. */
export const screens = {
  registration: z.strictObject(registration),
  uris: z.strictObject(uris),
  contact: z.strictObject(contact),
} as const;
export type ScreenName = keyof typeof screens;
export const screenNames = Object.keys(screens) as readonly ScreenName[];

const fields = z.strictObject({ ...registration, ...uris, ...contact });
export type ApplicationConfiguration = z.infer<typeof fields>;
export type ConfigurationField = keyof ApplicationConfiguration;

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

/** Addresses that an application has only where members sign in. */
export const memberAddresses = ['loginInitiateUri', 'loginRedirectUris', 'logoutRedirectUri'] as const;

/** Rules between fields; the first screen's come first, so that a page can show its own. */
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

/** Parameters of the authorization server's answers (RFC 6749 section 4.1.2, RFC 9207). */
const answerParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];

/** RFC 8252 section 7: what a mobile or desktop application has in place of a web address. */
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

/** Addresses that every application but a back-end service must have; reported together with other missing values. */
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

/** Reads a whole configuration for one environment, with every rule it breaks. */
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

/** A key set is one field, whatever is wrong inside of it. */
function ofKeySet(issue: FieldIssue): FieldIssue {
  if (issue.path[0] !== 'jwks') return issue;
  const isPrivate = privateMembers.includes(String(issue.path.at(-1)));
  const message = isPrivate
    ? 'use public keys only. This key contains its private part, which must stay with you'
    : 'a JWK Set of public keys, each RSA of 2048 bits or more, P-256 or P-384, with a kid: {"keys":[{"kty":"EC","crv":"P-384","kid":"…","x":"…","y":"…"}]}';
  return { path: ['jwks'], message };
}

/** zod's issues as fields and what was expected; an unknown field is an issue of that field. */
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

/** A set of ten RSA keys has some 10 000 characters, the longest of what is typed. */
const longestTyped = 16_000;
/** A registration begun and not finished: whatever was typed, of the right names and sizes. Nothing is checked yet. */
const typed = z.union([
  z.string().check(z.maxLength(longestTyped)),
  z.boolean(),
  z.array(z.string().check(z.maxLength(4000))).check(z.maxLength(20)),
]);
export const draftRequest = z.strictObject({
  screen: z.enum(screenNames),
  values: z.partialRecord(
    z.enum(Object.keys({ ...registration, ...uris, ...contact }) as ConfigurationField[]),
    typed,
  ),
});
export const draftId = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));

export const configurationRequest = z.strictObject({ version: recordVersion, configuration: z.unknown() });
export const registerRequest = z.strictObject({
  configuration: z.unknown(),
  /** The draft that this registration came from, which ends with it. */
  draftId: z.optional(draftId),
});
export const versionRequest = z.strictObject({ version: recordVersion });
export const promoteRequest = z.strictObject({
  version: recordVersion,
  /** Production values; the sandbox's are copied where absent, and edited afterwards. */
  configuration: z.optional(z.unknown()),
});
export const appealRequest = z.strictObject({
  version: recordVersion,
  words: paragraph('the reason to review the decision again'),
});
export const attestationRequest = z.strictObject({
  version: recordVersion,
  textVersion: agreementVersion,
  scrolledToEnd: accepted,
  accepted,
});
export const credentialsRequest = z.strictObject({ password: z.optional(presentPassword) });
/** Makes a repeated request the same act. */
const requestId = z.string().check(z.regex(/^[A-Za-z0-9-]{8,64}$/));
export const rotationRequest = z.strictObject({
  requestId,
  overlapSeconds: z
    .int({ error: 'whole seconds' })
    .check(
      z.minimum(0, { error: 'zero or more seconds' }),
      z.maximum(portalLimits.rotationOverlapSecondsMaximum, { error: 'at most 30 days' }),
    ),
});
export const stopRequest = z.strictObject({
  requestId,
  /** The `createdAt` of the secret or key, as View Credentials has it. The newest can't be stopped, only rotated. */
  createdAt: z.string().check(
    z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, {
      error: 'the `createdAt` of an older secret or key',
    }),
  ),
});
export const environmentName = z.enum(environments);
