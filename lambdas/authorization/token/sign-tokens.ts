/** Signs access tokens and id_tokens. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { SigningKeys } from '../oauth/token-ports.ts';
import type { GrantRequest, TokenResponse } from './grant-type.ts';
import { type Authorized, accessTokenClaims, idTokenClaims, type Lifetime } from './token-claims.ts';

export interface SigningServices {
  readonly origins: EnvironmentOrigins;
  readonly signingKeys: SigningKeys;
  readonly random: Random;
  readonly now: Clock;
}

/**
 * Lifetime of an access token that is issued now; it ends no later than its grant.
 *
 * @param grantExpiresAt seconds since 1970
 */
export function accessLifetime(
  { now }: Pick<SigningServices, 'now'>,
  { accessTokenSeconds }: Pick<GrantRequest, 'accessTokenSeconds'>,
  grantExpiresAt = Number.POSITIVE_INFINITY,
): Lifetime {
  const iat = Math.floor(now() / 1000);
  return { iat, exp: Math.min(iat + accessTokenSeconds, grantExpiresAt) };
}

/** Signs the tokens of a response: the access token, and an ID token if `openid` was granted. */
export async function signTokens(
  { origins, signingKeys, random }: Pick<SigningServices, 'origins' | 'signingKeys' | 'random'>,
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
