/** Port of the OpenID Connect client that signs members in at the plan's identity provider. */

import type { IdentityProvider } from '../../catalog/oauth/identity-providers.ts';

/**
 * Reason why the plan's identity provider authenticated nobody. `provider_unavailable`: no response in time, or a server error.
 * `provider_access_denied`: the member or the provider cancelled the sign-in. `provider_login_required`: the provider ended the sign-in
 * without authenticating the member. `provider_error`: another error, usually because this client is configured differently at the
 * provider. `provider_answer_invalid`: a response whose issuer, signature, audience, time, nonce or `acr` is wrong.
 */
export type ProviderRefusal =
  | 'provider_unavailable'
  | 'provider_access_denied'
  | 'provider_login_required'
  | 'provider_error'
  | 'provider_answer_invalid';

export interface ProviderRefused {
  readonly kind: 'refusal';
  readonly refusal: ProviderRefusal;
}

/** An authentication request to a provider (OpenID Connect Core section 3.1.2.1). */
export interface ProviderRequest extends AuthenticationRequestSecrets {
  readonly redirectUri: string;
  readonly prompt?: string | undefined;
  /** Requested maximum age of the authentication, seconds. */
  readonly maxAge?: number | undefined;
  readonly acrValues?: string | undefined;
  readonly loginHint?: string | undefined;
  readonly uiLocales: string;
}

/** Values that bind a response to one request of one browser. */
export interface AuthenticationRequestSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE code verifier (RFC 7636); its S256 challenge is in the request. */
  readonly codeVerifier: string;
}

/** Claims of a verified id token. */
export interface ProviderIdentity {
  readonly kind: 'authenticated';
  readonly issuer: string;
  readonly subject: string;
  /** Value of the provider's configured claim for the member ID, if it is a string. */
  readonly memberId: string | undefined;
  /** Name of the person for pages: the claim `name`, or given and family name. */
  readonly name: string | undefined;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Time of the authentication at the provider, seconds since 1970; undefined without the claim `auth_time`. */
  readonly authTime: number | undefined;
  readonly acr: string | undefined;
}

/** The client of plans' identity providers. Adapter: `lambdas/authorization/identity-provider`. */
export interface ProviderClient {
  /** The provider's authorization endpoint with an authentication request, which the browser is redirected to. */
  authorizationAddress(
    provider: IdentityProvider,
    request: ProviderRequest,
  ): Promise<{ readonly kind: 'address'; readonly address: string } | ProviderRefused>;
  /**
   * Verifies the response at the redirect URI, exchanges its code, and verifies the ID token.
   *
   * @param callback the redirect URI with the query of the response.
   */
  authenticate(
    provider: IdentityProvider,
    callback: string,
    secrets: AuthenticationRequestSecrets,
  ): Promise<ProviderIdentity | ProviderRefused>;
  /**
   * The provider's end-session endpoint with a logout request.
   *
   * @returns undefined if the provider has no such endpoint or does not answer.
   */
  endSessionAddress(
    provider: IdentityProvider,
    request: { readonly postLogoutRedirectUri: string; readonly state: string },
  ): Promise<string | undefined>;
}
