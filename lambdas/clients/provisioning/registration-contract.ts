import * as z from 'zod/mini';
import { interfaceNames } from '../../catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { clientJwks } from '../../catalog/oauth/client-jwks.ts';
import { demonstration } from '../../catalog/oauth/demonstration.ts';

/**
 * The registration of a client in a request to `provisioning`. Fields have the names of RFC 7591 (OAuth Dynamic Client Registration) in
 * camelCase, if it has one.
 */

export const grantTypes = ['authorization_code', 'client_credentials', demonstration.grantType] as const;

/** Values of RFC 7591 `token_endpoint_auth_method`. `none` is a public client, which uses PKCE only. */
export const tokenEndpointAuthMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const;

/** Whether a client with this authentication method gets a secret. */
export function usesSecret(method: (typeof tokenEndpointAuthMethods)[number]): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

/** States of a client: `suspended` can become `active` again, `revoked` can't. */
export const clientStates = ['active', 'suspended', 'revoked'] as const;
export type ClientState = (typeof clientStates)[number];

const uri = z.string().check(z.url(), z.maxLength(2048));

/** Client metadata in a registration request. Other fields of a client are assigned by provisioning. */
export const clientRegistration = z.strictObject({
  clientName: z.string().check(z.minLength(1), z.maxLength(120)),
  /** Name on the consent page; the client name if absent. */
  displayName: z.optional(z.string().check(z.minLength(1), z.maxLength(120))),
  grantTypes: z.array(z.enum(grantTypes)).check(z.minLength(1)),
  tokenEndpointAuthMethod: z.enum(tokenEndpointAuthMethods),
  /** Public keys of a `private_key_jwt` client, which can register `jwks_uri` instead (RFC 7591 section 2). */
  jwks: z.optional(clientJwks),
  jwksUri: z.optional(uri),
  linesOfBusiness: z.array(z.enum(lineOfBusinessCodes)).check(z.minLength(1)),
  products: z.array(z.enum(interfaceNames)).check(z.minLength(1)),
  /** Redirect URIs. The authorization endpoint compares them as raw strings (RFC 9700 section 2.1). */
  redirectUris: z.array(uri).check(z.maxLength(10)),
  /**
   * Addresses that the browser may be redirected to after a logout (OpenID Connect RP-Initiated Logout 1.0 section 3.1); compared as raw
   * strings.
   */
  postLogoutRedirectUris: z.optional(z.array(uri).check(z.maxLength(10))),
  /** Address at which a third party starts a sign-in at the application (OpenID Connect Core section 4). */
  initiateLoginUri: z.optional(uri),
  applicationUri: z.optional(uri),
  privacyUri: z.optional(uri),
  termsOfServiceUri: z.optional(uri),
  contactEmail: z.optional(z.email()),
  /** Whether the developer has attested how the application handles member data. If not, the consent page warns members. */
  attested: z.boolean(),
  /** Whether the client must use PKCE. Only a confidential application can be exempt; it must then send `state`. */
  pkceRequired: z.boolean(),
  /** Usage-plan tier: a key of `USAGE_PLANS`. */
  tier: z.string(),
  /** The fictional member that the demonstration reads; absent for every other client. */
  demonstratedPatientId: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
});
export type ClientRegistration = z.infer<typeof clientRegistration>;
