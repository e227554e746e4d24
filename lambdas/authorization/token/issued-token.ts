/** Finds the token in a request for introspection, revocation or UserInfo. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { MemberTokenServer } from './grant-type.ts';
import { parseRefreshToken, refreshTokenDigest, type TokenStore } from './refresh-token-family.ts';
import type { Authorized } from './token-claims.ts';

export type TokenLookupServices = Pick<MemberTokenServer, 'accessTokens' | 'digests' | 'now'> & {
  readonly tokens: Pick<TokenStore, 'family' | 'grant'>;
};

/** A genuine token of this issuer that has not expired. Its grant may have ended. */
export interface IssuedToken {
  readonly kind: 'access' | 'refresh';
  readonly authorized: Omit<Authorized, 'authTime' | 'nonce'>;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Token ID of an access token. */
  readonly jti?: string;
  /** Family of a refresh token. */
  readonly familyId?: string;
  /** Whether it is a refresh token that has been rotated: it can only be revoked. */
  readonly superseded?: true;
}

/** Maximum characters of an access token; refresh tokens are shorter. */
const longestToken = 4_096;

/**
 * Finds a token of this LOB by its text.
 *
 * @returns undefined if the text is no token, or the token is forged or expired.
 */
export async function findToken(
  services: TokenLookupServices,
  lob: LineOfBusiness,
  text: string,
): Promise<IssuedToken | undefined> {
  if (text.length > longestToken) return undefined;
  const refreshToken = parseRefreshToken(text);
  if (refreshToken === undefined) return await findAccessToken(services, lob, text);
  const family = await services.tokens.family(lob, refreshToken.familyId);
  const now = services.now() / 1000;
  if (family?.state !== 'active' || family.expiresAt <= now || family.idleExpiresAt <= now) return undefined;
  const digest = refreshTokenDigest(services.digests, refreshToken);
  const live = services.digests.equal(digest, family.sha256);
  const previous = services.digests.equal(digest, family.previousSha256 ?? 'none');
  if (!live && !previous) return undefined;
  const { clientId, sub, patientId, grantId, scope, rotatedAt, familyId } = family;
  return {
    kind: 'refresh',
    authorized: { clientId, sub, patientId, grantId, scope },
    issuedAt: rotatedAt,
    expiresAt: Math.min(family.idleExpiresAt, family.expiresAt),
    familyId,
    ...(!live && { superseded: true }),
  };
}

async function findAccessToken(
  { accessTokens }: Pick<MemberTokenServer, 'accessTokens'>,
  lob: LineOfBusiness,
  text: string,
): Promise<IssuedToken | undefined> {
  const claims = await accessTokens.verify(lob, text);
  if (claims === undefined) return undefined;
  const { client_id: clientId, sub, patient: patientId, grant: grantId, scope, jti, iat, exp } = claims;
  const authorized = { clientId, sub, patientId, grantId, scope };
  return { kind: 'access', authorized, issuedAt: iat, expiresAt: exp, jti };
}
