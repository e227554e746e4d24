/** The OAuth client: the fields of a registered application that the authorization server uses. */

import type { Interface } from '../../catalog/fhir/interfaces.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ClientJwks } from '../../catalog/oauth/client-jwks.ts';
import type { demonstration } from '../../catalog/oauth/demonstration.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';

/** The fields of a registered application that the authorization server needs; `lambdas/clients/provisioning/client.ts` has the whole. */
export interface OAuthClient {
  readonly clientId: string;
  readonly state: 'active' | 'suspended' | 'revoked';
  readonly clientName: string;
  readonly displayName?: string | undefined;
  readonly grantTypes: readonly (
    | 'authorization_code'
    | 'client_credentials'
    | typeof demonstration.grantType
  )[];
  readonly tokenEndpointAuthMethod: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  /** Public keys of a `private_key_jwt` client, or the address where it publishes them. */
  readonly jwks?: ClientJwks | undefined;
  readonly jwksUri?: string | undefined;
  readonly linesOfBusiness: readonly LineOfBusiness[];
  readonly products: readonly Interface[];
  /** Identifiers of the organization, verified by the operator. */
  readonly organization?: readonly OrganizationIdentifier[] | undefined;
  readonly redirectUris: readonly string[];
  /** Registered addresses that the browser may be redirected to after a logout (OpenID Connect RP-Initiated Logout 1.0 section 3). */
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
  /** Address that begins a sign-in at the application (OpenID Connect Core section 4). */
  readonly initiateLoginUri?: string | undefined;
  readonly applicationUri?: string | undefined;
  readonly privacyUri?: string | undefined;
  readonly termsOfServiceUri?: string | undefined;
  readonly contactEmail?: string | undefined;
  readonly attested: boolean;
  readonly pkceRequired: boolean;
  /** The fictional member that the demonstration reads. */
  readonly demonstratedPatientId?: string | undefined;
  readonly secrets: readonly OAuthClientSecret[];
}

export interface OAuthClientSecret {
  /** ID of the secret, which is no secret. */
  readonly secretId?: string | undefined;
  /** SHA-256 of the secret, hex. */
  readonly sha256: string;
  /** Time when the secret stops working, ISO 8601. */
  readonly expiresAt?: string | undefined;
}

/** Whether a client authenticates with a secret, in the header or in the body. */
export function authenticatesWithSecret({ tokenEndpointAuthMethod }: OAuthClient): boolean {
  return (
    tokenEndpointAuthMethod === 'client_secret_basic' || tokenEndpointAuthMethod === 'client_secret_post'
  );
}

/** Whether a client must use PKCE. Only a confidential application can be exempt (RFC 9700 section 2.1.1). */
export function needsPkce(client: OAuthClient): boolean {
  return client.pkceRequired || client.tokenEndpointAuthMethod === 'none';
}
