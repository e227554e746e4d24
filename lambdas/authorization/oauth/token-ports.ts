/**
 * Ports of signing keys and of the verification of tokens. Called by the token endpoints, UserInfo and `id_token_hint`; the adapters in
 * `authorization/signing` read secrets and published keys.
 */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { MemberAccessToken } from '../../catalog/oauth/access-token.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';

/** Services that sign and verify tokens. Adapters: `lambdas/authorization/signing`. */

/** `at+jwt`: RFC 9068 section 2.1. `JWT`: an id_token. */
export type TokenType = 'at+jwt' | 'JWT';

/** Signs tokens with the issuers' current keys. */
export interface SigningKeys {
  /**
   * Makes a compact JWS (RS256) over the claims, with `kid` and `typ` in its header.
   *
   * @throws where no key can be had; nothing may be committed then.
   */
  sign(issuer: TokenIssuer, claims: Readonly<Record<string, unknown>>, typ: TokenType): Promise<string>;
}

/** Verifies access tokens that come back to the authorization server. */
export interface MemberAccessTokens {
  /**
   * Verifies an access token of the LOB.
   *
   * @returns its claims, if it is unaltered and in time; undefined for any other text.
   * @throws StoreUnavailable where the published keys can't be read.
   */
  verify(lob: LineOfBusiness, token: string): Promise<MemberAccessToken | undefined>;
}

/** Verifies `id_token_hint` (OpenID Connect Core section 3.1.2.1). */
export interface IdTokenHints {
  /**
   * Reads subject and client of an id_token of the LOB: unaltered, however old.
   *
   * @returns undefined for any other text, and for one whose key is no longer published.
   * @throws StoreUnavailable where the published keys can't be read.
   */
  read(
    lob: LineOfBusiness,
    idToken: string,
  ): Promise<{ readonly subject: string; readonly clientId: string } | undefined>;
}
