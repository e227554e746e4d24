/** Interfaces of the token endpoints: their services, and the request, handler and result of a grant type. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { ClientRates } from '../../platform/kernel/rates.ts';
import type { AuthorizationStore } from '../authorize/authorization-store-port.ts';
import type { AuditContext, AuditTrail } from '../oauth/audit-decision.ts';
import type { IsAccountClosed } from '../oauth/member-account.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import type { Parameters } from '../oauth/parameters.ts';
import type { MemberAccessTokens, SigningKeys } from '../oauth/token-ports.ts';
import type { ClientAuthentication } from './client-authentication.ts';
import type { TokenStore } from './refresh-token-family.ts';
import type { TokenRefusal } from './token-error.ts';

export interface TokenServer extends ClientAuthentication {
  readonly origins: EnvironmentOrigins;
  readonly signingKeys: SigningKeys;
  readonly audit: AuditTrail;
  readonly random: Random;
  /** Seconds that an access token is valid, unless the request asks for less. */
  readonly accessTokenSeconds: number;
}

/** Services of an LOB's token, revocation and introspection endpoints. */
export interface MemberTokenServer extends TokenServer {
  readonly rates: ClientRates;
  readonly store: AuthorizationStore;
  readonly tokens: TokenStore;
  readonly accessTokens: MemberAccessTokens;
  readonly isAccountClosed: IsAccountClosed;
  /** Seconds that a grant with offline access lasts, from the redemption of its code. */
  readonly grantSeconds: number;
  /** Seconds after which an unused refresh token expires. */
  readonly refreshIdleSeconds: number;
}

/** Token response (RFC 6749 section 5.1), with SMART's `patient` and OpenID Connect's `id_token`. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly patient?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
}

export type TokenAnswer = { readonly kind: 'issued'; readonly issued: TokenResponse } | TokenRefusal;

/** A token request of an authenticated client. */
export interface GrantRequest {
  readonly lob: LineOfBusiness;
  readonly client: OAuthClient;
  readonly parameters: Parameters;
  readonly context: AuditContext;
  /** Seconds that the access token of this request is valid. */
  readonly accessTokenSeconds: number;
}

/** A grant type (RFC 6749 section 1.3): the value of `grant_type`, its parameters, and its handler. */
export interface GrantType {
  readonly type: string;
  /** The registered grant type that the client needs. */
  readonly registeredAs: OAuthClient['grantTypes'][number];
  readonly parameters: readonly string[];
  /** Handles the request of an authenticated client. Each decision is stored with its audit event before it returns. */
  handle(server: MemberTokenServer, request: GrantRequest): Promise<TokenAnswer>;
}
