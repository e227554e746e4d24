import type { EnvironmentOrigins } from '../../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../../catalog/lines-of-business.ts';
import type { Random } from '../../../kernel/random.ts';
import type { AuditContext } from '../../audit-event.ts';
import type { AuthorizationStore } from '../../authorize/authorization-store.ts';
import type { OAuthClient } from '../../client.ts';
import type { Parameters } from '../../parameters.ts';
import type {
  AuthorizationAuditTrail,
  IsAccountClosed,
  MemberAccessTokens,
  SigningKeys,
} from '../../ports.ts';
import type { ClientAuthentication } from '../client-authentication.ts';
import type { TokenStore } from '../refresh-token-family.ts';
import type { TokenErrorResponse } from '../token-error.ts';

/** What a token endpoint works with. */
export interface TokenServer extends ClientAuthentication {
  readonly origins: EnvironmentOrigins;
  readonly signingKeys: SigningKeys;
  readonly audit: AuthorizationAuditTrail;
  readonly random: Random;
  /** Lifetime of an access token, where the request asks for no shorter one. */
  readonly accessTokenSeconds: number;
}

/** What a LOB's token endpoint works with. */
export interface MemberTokenServer extends TokenServer {
  readonly store: AuthorizationStore;
  readonly tokens: TokenStore;
  readonly accessTokens: MemberAccessTokens;
  readonly isAccountClosed: IsAccountClosed;
  /** How long a grant with lasting access lives from the redemption of its code on. */
  readonly grantSeconds: number;
  /** How long a refresh token nobody uses lives. */
  readonly refreshIdleSeconds: number;
}

/** RFC 6749 section 5.1, with SMART's `patient` and OpenID Connect's `id_token`. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly patient?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
}

export type TokenAnswer = { readonly issued: TokenResponse } | { readonly refusal: TokenErrorResponse };

export interface GrantRequest {
  readonly lob: LineOfBusiness;
  readonly client: OAuthClient;
  readonly parameters: Parameters;
  readonly context: AuditContext;
  /** How long the access token of this request lives. */
  readonly accessTokenSeconds: number;
}

/** One way to a token: its name on the wire, the parameters only it reads, and what it does for a known client. */
export interface GrantType {
  readonly type: string;
  /** The registered grant type that brings it. */
  readonly registeredAs: OAuthClient['grantTypes'][number];
  readonly parameters: readonly string[];
  /** Makes its own decisions durable, each with its audit event. */
  handle(server: MemberTokenServer, request: GrantRequest): Promise<TokenAnswer>;
}
