import { type Authorized, accessTokenClaims, idTokenClaims, type Lifetime } from '../token-claims.ts';
import type { GrantRequest, MemberTokenServer, TokenResponse } from './grant-type.ts';

/** From now on, and never beyond the grant. @param grantExpiresAt seconds since 1970 */
export function accessLifetime(
  { now }: Pick<MemberTokenServer, 'now'>,
  { accessTokenSeconds }: Pick<GrantRequest, 'accessTokenSeconds'>,
  grantExpiresAt = Number.POSITIVE_INFINITY,
): Lifetime {
  const iat = Math.floor(now() / 1000);
  return { iat, exp: Math.min(iat + accessTokenSeconds, grantExpiresAt) };
}

/** Signs what a token answer holds: the access token, and an id_token with `openid`. */
export async function signTokens(
  { origins, signingKeys, random }: MemberTokenServer,
  { lob, context }: GrantRequest,
  authorized: Authorized,
  lifetime: Lifetime,
): Promise<TokenResponse> {
  const claims = accessTokenClaims(origins, context.environment, lob, authorized, lifetime, random.uuid());
  const openid = authorized.scope.split(' ').includes('openid');
  const [accessToken, idToken] = await Promise.all([
    signingKeys.sign(lob, claims, 'at+jwt'),
    openid ? signingKeys.sign(lob, idTokenClaims(origins, lob, authorized, lifetime), 'JWT') : undefined,
  ]);
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lifetime.exp - lifetime.iat,
    scope: authorized.scope,
    patient: authorized.patientId,
    ...(idToken !== undefined && { id_token: idToken }),
  };
}
