import * as z from 'zod/mini';
import { clientJwks } from '../catalog/client-jwks.ts';
import { interfaceNames } from '../catalog/interfaces.ts';
import { lineOfBusinessCodes } from '../catalog/lines-of-business.ts';

/**
 * A registered application as one environment knows it: an OAuth client plus what the gateway and the consent page
 * need. Names follow RFC 7591 (OAuth Dynamic Client Registration) where it has one, in camelCase.
 */

export const grantTypes = ['authorization_code', 'client_credentials'] as const;

/** RFC 7591 `token_endpoint_auth_method`. `none` is a public client: PKCE only. */
export const tokenEndpointAuthMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const;

/** Whether a client of this method is given a secret. */
export function usesSecret(method: (typeof tokenEndpointAuthMethods)[number]): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

/** `active` may act; `suspended` may act again later; `revoked` never again. */
export const clientStates = ['active', 'suspended', 'revoked'] as const;
export type ClientState = (typeof clientStates)[number];

const uri = z.string().check(z.url(), z.maxLength(2048));

/** What a registration asks for; the rest is given to it. */
export const clientRegistration = z.strictObject({
  clientName: z.string().check(z.minLength(1), z.maxLength(120)),
  /** What members see on the consent page; the client name when absent. */
  displayName: z.optional(z.string().check(z.minLength(1), z.maxLength(120))),
  grantTypes: z.array(z.enum(grantTypes)).check(z.minLength(1)),
  tokenEndpointAuthMethod: z.enum(tokenEndpointAuthMethods),
  /** With `private_key_jwt`, one of the two: its public keys, or where it publishes them (RFC 7591 section 2). */
  jwks: z.optional(clientJwks),
  jwksUri: z.optional(uri),
  linesOfBusiness: z.array(z.enum(lineOfBusinessCodes)).check(z.minLength(1)),
  products: z.array(z.enum(interfaceNames)).check(z.minLength(1)),
  /** Compared as raw strings at the authorization endpoint (RFC 9700 section 2.1). */
  redirectUris: z.array(uri).check(z.maxLength(10)),
  /** Where the browser may go after a logout (OpenID Connect RP-Initiated Logout 1.0 section 3.1); compared as raw strings. */
  postLogoutRedirectUris: z.optional(z.array(uri).check(z.maxLength(10))),
  /** Where somebody else begins a sign-in at the application (OpenID Connect Core section 4). */
  initiateLoginUri: z.optional(uri),
  applicationUri: z.optional(uri),
  privacyUri: z.optional(uri),
  termsOfServiceUri: z.optional(uri),
  contactEmail: z.optional(z.email()),
  /** The developer attested how the application handles member data; members are warned where not. */
  attested: z.boolean(),
  /** A confidential application may be exempted from PKCE (then `state` is required); a public one never. */
  pkceRequired: z.boolean(),
  /** Usage-plan tier: a key of `USAGE_PLANS`. */
  tier: z.string(),
});
export type ClientRegistration = z.infer<typeof clientRegistration>;

/** A live client secret; two at most, so that a rotation loses no call. */
export interface ClientSecret {
  readonly secretId: string;
  /** SHA-256 of the secret, hex. The secret has 256 random bits, so a slow hash would add nothing. */
  readonly sha256: string;
  /** The secret encrypted by the environment's credential key (KMS), base64; for View Credentials. */
  readonly encrypted: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; the secret of a finished rotation stops at this time. */
  readonly expiresAt?: string;
}

/** A live subscription key; its value lies in API Gateway only, its SHA-256 in the lookup items. */
export interface SubscriptionKey {
  /** API Gateway's id of the key. */
  readonly apiKeyId: string;
  readonly sha256: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
}

/**
 * The key by which API Gateway meters the application's calls, whichever subscription key they come with, if any. It grants no
 * access: no lookup knows it, so it is refused where it is sent.
 */
export interface MeteringKey {
  readonly apiKeyId: string;
  readonly value: string;
}

export interface Client extends ClientRegistration {
  readonly clientId: string;
  readonly state: ClientState;
  readonly secrets: readonly ClientSecret[];
  readonly subscriptionKeys: readonly SubscriptionKey[];
  /** Absent where the client was registered before there was one. */
  readonly meteringKey?: MeteringKey;
  readonly createdAt: string;
  readonly updatedAt: string;
}
