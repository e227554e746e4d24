/** Settings of the plan's identity providers in an environment's configuration. */

import * as z from 'zod';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import {
  type IdentityProvider,
  type IdentityProviders,
  providerAuthenticationMethods,
  providerIdTokenAlgorithms,
} from '../../lambdas/catalog/oauth/identity-providers.ts';
import { wrongField } from './common-fields.ts';

const label = z
  .string()
  .trim()
  .min(2)
  .max(60)
  .regex(/^[^\p{Cc}\p{Cs}<>]+$/u, 'expected text without control characters or angle brackets');

const identityProvider = z.strictObject({
  /** Issuer identifier (OpenID Connect Discovery section 3). Its metadata is at `<issuer>/.well-known/openid-configuration`. */
  issuer: z.string().max(255),
  /** Client ID of this service at the provider. */
  clientId: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 visible ASCII characters'),
  /**
   * Client authentication at the provider. `private_key_jwt` signs with the environment's own key, which is made and rotated like the token
   * signing keys. The other methods use a secret that the plan provides, entered into the secret that the stack's output
   * `FederationClientSecret…` names.
   */
  clientAuthentication: z.enum(providerAuthenticationMethods).default('private_key_jwt'),
  /** Algorithm with which the provider signs this client's ID tokens; any other is refused. */
  idTokenAlgorithm: z.enum(providerIdTokenAlgorithms).default('RS256'),
  /** Claim of the ID token that contains the member ID, as in the plan's loads. */
  memberIdClaim: z.string().regex(/^[\x21-\x7e]{1,128}$/, 'expected the name of a claim'),
  /** Requested scopes, including `openid`. */
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'expected a scope (RFC 6749 section 3.3)'))
    .max(20)
    .default(['openid'])
    .refine((scopes) => scopes.includes('openid'), 'expected openid among the scopes'),
  /** Name by which members know the provider, such as `Example Health Member Portal`: one text, or one for each language. */
  label: z.union([
    label.transform((text) => ({ en: text, es: text })),
    z.strictObject({ en: label, es: label }),
  ]),
  /** Requested authentication contexts (`acr_values`), best first. An ID token with another `acr` is refused. */
  acrValues: z
    .array(z.string().regex(/^[\x21-\x7e]{1,255}$/, 'expected an acr value without spaces'))
    .max(10)
    .default([]),
  /**
   * Whether members can also sign in with accounts of this service. If not, the authorization endpoint redirects to the provider at once.
   */
  localAccounts: z.boolean().default(true),
});

/**
 * Identity providers: one for the whole environment, and for a LOB another one that replaces it completely, or `none`. Without this field
 * members sign in with accounts of this service.
 */
export const federationField = z
  .strictObject({
    default: identityProvider.optional(),
    linesOfBusiness: z
      .partialRecord(z.enum(lineOfBusinessCodes), z.union([identityProvider, z.literal('none')]))
      .default({}),
  })
  .default({ linesOfBusiness: {} });

type Federation = z.output<typeof federationField>;

/** The identity provider of each LOB of the environment. */
export function identityProvidersOf({
  federation,
  linesOfBusiness,
}: {
  readonly federation: Federation;
  readonly linesOfBusiness: readonly LineOfBusiness[];
}): IdentityProviders {
  return Object.fromEntries(
    linesOfBusiness.flatMap((lob) => {
      const provider = federation.linesOfBusiness[lob] ?? federation.default;
      return provider === undefined || provider === 'none' ? [] : [[lob, provider]];
    }),
  );
}

/** Whether the environment signs client assertions for an identity provider. */
export function signsForProviders(configuration: Parameters<typeof identityProvidersOf>[0]): boolean {
  const providers = Object.values(identityProvidersOf(configuration));
  return providers.some(({ clientAuthentication }) => clientAuthentication === 'private_key_jwt');
}

/** The providers in a configuration with their paths: that of the environment, and those of LOBs. */
export function federationEntries({
  default: all,
  linesOfBusiness,
}: Federation): readonly { readonly path: readonly string[]; readonly provider: IdentityProvider }[] {
  const ofLobs = Object.entries(linesOfBusiness).flatMap(([lob, provider]) =>
    provider === undefined || provider === 'none' ? [] : [{ path: ['linesOfBusiness', lob], provider }],
  );
  return all === undefined ? ofLobs : [{ path: ['default'], provider: all }, ...ofLobs];
}

/** Most bytes of the providers in an environment variable. All variables of a function may have 4 KB together. */
const mostBytes = 2_500;

/**
 * Issues that involve several fields: URLs by the environment's scheme, LOBs by the environment's list, clients by their authentication
 * method.
 */
export function federationIssues(
  federation: Federation,
  {
    scheme,
    linesOfBusiness,
  }: { readonly scheme: 'https' | 'http'; readonly linesOfBusiness: readonly string[] },
) {
  const entries = federationEntries(federation);
  const methods = new Map<string, IdentityProvider>();
  const issues = entries.flatMap(({ path, provider }) => {
    const found = [];
    const at = (field: string) => ['federation', ...path, field];
    const problem = issuerProblem(provider.issuer, scheme);
    if (problem !== undefined) found.push(wrongField(at('issuer'), problem, provider.issuer));
    const client = `${provider.issuer} ${provider.clientId}`;
    const same = methods.get(client) ?? provider;
    methods.set(client, same);
    if (same.clientAuthentication !== provider.clientAuthentication) {
      const expected = `expected ${same.clientAuthentication}, as elsewhere for the same client of this issuer`;
      found.push(wrongField(at('clientAuthentication'), expected, provider.clientAuthentication));
    }
    return found;
  });
  const bytes = Buffer.byteLength(JSON.stringify([...new Set(entries.map(({ provider }) => provider))]));
  if (bytes > mostBytes) {
    const expected = `expected at most ${mostBytes} bytes as JSON, which a function's environment has room for, got ${bytes}`;
    issues.push(wrongField(['federation'], expected, bytes));
  }
  const unknown = Object.keys(federation.linesOfBusiness).filter((lob) => !linesOfBusiness.includes(lob));
  const expected = 'expected a line of business of this environment';
  return [
    ...issues,
    ...unknown.map((lob) => wrongField(['federation', 'linesOfBusiness', lob], expected, lob)),
  ];
}

/**
 * Checks an issuer identifier.
 *
 * @returns the expected form in words; undefined if the identifier is valid.
 */
function issuerProblem(issuer: string, scheme: 'https' | 'http'): string | undefined {
  const expected = 'expected an https URL on port 443 without query, fragment or user name';
  if (!URL.canParse(issuer)) return expected;
  const { protocol, hostname, port, search, hash, username, password } = new URL(issuer);
  if (search !== '' || hash !== '' || username !== '' || password !== '' || /[?#]/.test(issuer))
    return expected;
  // On one machine providers are reached without TLS, like all hosts.
  const isLoopback = hostname === 'localhost' || hostname === '127.0.0.1';
  if (scheme === 'http' && protocol === 'http:' && isLoopback) return undefined;
  return protocol === 'https:' && port === '' ? undefined : expected;
}
