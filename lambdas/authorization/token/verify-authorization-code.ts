/** Verifies an authorization code at the token endpoint: client, redirect URI, PKCE, lifetime, one use. */

import type { Digests } from '../../platform/kernel/digests.ts';
import type { AuthorizationCode } from '../authorize/interaction.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { type Parameters, parameterOf } from '../oauth/parameters.ts';
import { matchesRegistered } from '../oauth/redirect-uri.ts';

/**
 * Reasons why a known code is refused, and what the refusal ends.
 *
 * `grant`: the code's own client presented it, but the code may be in wrong hands. It was replayed (RFC 6749 section 4.1.2), or the
 * redirect URI or verifier is wrong (RFC 9700 section 4.2.4 allows one use at the token endpoint).
 *
 * `code`: the presenter has no token of the grant and can't get one, so the grant's tokens stay valid. The code, if unused, becomes
 * invalid.
 */
export const authorizationCodeRefusals = {
  code_of_another_client: 'code',
  code_replayed: 'grant',
  code_ended: 'nothing',
  code_expired: 'nothing',
  redirect_uri_differs: 'grant',
  redirect_uri_removed: 'code',
  code_verifier_missing: 'grant',
  code_verifier_unexpected: 'grant',
  code_verifier_wrong: 'grant',
} as const satisfies Readonly<Record<string, 'grant' | 'code' | 'nothing'>>;
export type AuthorizationCodeRefusal = keyof typeof authorizationCodeRefusals;

/** Form of a code verifier (RFC 7636 section 4.1): 43 to 128 unreserved characters. */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Verifies a presented code, in the order of the specification. The client is compared first, because only the code's own client may learn
 * more.
 */
export function verifyAuthorizationCode(
  code: AuthorizationCode,
  client: Pick<OAuthClient, 'clientId' | 'redirectUris' | 'tokenEndpointAuthMethod'>,
  parameters: Parameters,
  nowSeconds: number,
  digests: Digests,
): AuthorizationCodeRefusal | undefined {
  if (code.clientId !== client.clientId) return 'code_of_another_client';
  if (code.state === 'redeemed') return 'code_replayed';
  if (code.state === 'ended') return 'code_ended';
  if (code.expiresAt <= nowSeconds) return 'code_expired';
  if (code.redirectUri !== parameterOf(parameters, 'redirect_uri')) return 'redirect_uri_differs';
  // The developer may have removed the redirect URI since the authorization request, for example because the domain was lost.
  if (!matchesRegistered(client, code.redirectUri)) return 'redirect_uri_removed';
  return verifyCodeVerifier(code.codeChallenge, parameterOf(parameters, 'code_verifier'), digests);
}

/** Verifies PKCE. A verifier without a challenge is refused too: an attacker may have removed the challenge (RFC 9700 section 4.8.2). */
function verifyCodeVerifier(
  challenge: string | undefined,
  verifier: string | undefined,
  digests: Digests,
): AuthorizationCodeRefusal | undefined {
  if (challenge === undefined) return verifier === undefined ? undefined : 'code_verifier_unexpected';
  if (verifier === undefined) return 'code_verifier_missing';
  const fits = verifierPattern.test(verifier) && digests.equal(digests.sha256Base64Url(verifier), challenge);
  return fits ? undefined : 'code_verifier_wrong';
}
