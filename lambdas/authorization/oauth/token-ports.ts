/**
 * Ports of signing keys and of the verification of tokens, called by the token endpoints, UserInfo and `id_token_hint`. The adapters in
 * `authorization/signing` read secrets and published keys.
 */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { MemberAccessToken } from '../../catalog/oauth/access-token.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';

/** Header `typ` of a JWT. `at+jwt`: an access token (RFC 9068 section 2.1). `JWT`: an ID token. */
export type TokenType = 'at+jwt' | 'JWT';

/** Signs tokens with the issuers' current keys. */
export interface SigningKeys {
  /**
   * Makes a compact JWS (RS256) of the claims, with `kid` and `typ` in its header.
   *
   * @throws if no key is available; the caller must not commit anything then.
   */
  sign(issuer: TokenIssuer, claims: Readonly<Record<string, unknown>>, typ: TokenType): Promise<string>;
}

/** Verifies access tokens that applications send to the authorization server. */
export interface MemberAccessTokens {
  /**
   * Verifies an access token of the LOB.
   *
   * @returns its claims; undefined if it is altered, expired or no access token.
   * @throws StoreUnavailable if the published keys can't be read.
   */
  verify(lob: LineOfBusiness, token: string): Promise<MemberAccessToken | undefined>;
}

/** Verifies `id_token_hint` (OpenID Connect Core section 3.1.2.1). */
export interface IdTokenHints {
  /**
   * Reads subject and client of an ID token of the LOB, which may have expired.
   *
   * @returns undefined for any other text, and for an ID token whose key is no longer published.
   * @throws StoreUnavailable if the published keys can't be read.
   */
  read(
    lob: LineOfBusiness,
    idToken: string,
  ): Promise<{ readonly subject: string; readonly clientId: string } | undefined>;
}
