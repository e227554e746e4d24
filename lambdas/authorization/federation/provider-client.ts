/** Port of the OpenID Connect client that signs members in at the plan's identity provider. */

import type { IdentityProvider } from '../../catalog/oauth/identity-providers.ts';

/**
 * Reason why a plan's identity provider authenticated nobody.
 * - `provider_unavailable`: it did not answer, or not in time, or with a server error.
 * - `provider_access_denied`: the member, or the provider, cancelled the sign-in.
 * - `provider_login_required`: the provider ended the sign-in without authenticating the member.
 * - `provider_error`: another error of the provider; usually this client is configured otherwise there.
 * - `provider_answer_invalid`: an answer that fails verification: issuer, signature, audience, time, nonce, `acr`.
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
export interface ProviderRequest extends AttemptSecrets {
  readonly redirectUri: string;
  readonly prompt?: string | undefined;
  /** Seconds. */
  readonly maxAge?: number | undefined;
  readonly acrValues?: string | undefined;
  readonly loginHint?: string | undefined;
  readonly uiLocales: string;
}

/** Values that bind an answer to one request of one browser. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE, S256 (RFC 7636). */
  readonly codeVerifier: string;
}

/** Claims of a verified id token. */
export interface ProviderIdentity {
  readonly kind: 'authenticated';
  readonly issuer: string;
  readonly subject: string;
  /** The configured claim, if it is a text. */
  readonly memberId: string | undefined;
  /** The standard claim `name`, for pages. */
  readonly name: string | undefined;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Time of the authentication at the provider, seconds since 1970; undefined if it says none. */
  readonly authTime: number | undefined;
  readonly acr: string | undefined;
}

/** The client of plans' identity providers. Adapter: `lambdas/authorization/identity-provider`. */
export interface ProviderClient {
  /** The address of the provider to which the browser goes. */
  authorizationAddress(
    provider: IdentityProvider,
    request: ProviderRequest,
  ): Promise<{ readonly kind: 'address'; readonly address: string } | ProviderRefused>;
  /**
   * Verifies the answer at the redirect URI, exchanges its code, and verifies the id token.
   *
   * @param callback the redirect URI with the query of the answer.
   */
  authenticate(
    provider: IdentityProvider,
    callback: string,
    secrets: AttemptSecrets,
  ): Promise<ProviderIdentity | ProviderRefused>;
  /** @returns undefined where the provider has no end-session endpoint, or does not answer. */
  endSessionAddress(
    provider: IdentityProvider,
    request: { readonly postLogoutRedirectUri: string; readonly state: string },
  ): Promise<string | undefined>;
}
