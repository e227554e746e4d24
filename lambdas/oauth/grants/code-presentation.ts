import type { AuthorizationCode } from '../interaction.ts';
import { type Parameters, parameterOf } from '../parameters.ts';
import type { Digests } from '../ports.ts';

/** Why a code known to the store buys nothing. */
export type CodeRefusal =
  | 'code_replayed'
  | 'code_ended'
  | 'code_expired'
  | 'code_of_another_client'
  | 'redirect_uri_differs'
  | 'code_verifier_missing'
  | 'code_verifier_unexpected'
  | 'code_verifier_wrong';

/** RFC 7636 section 4.1: 43 to 128 unreserved characters. */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

/** Looks at a code as it is presented. The order is the specification. */
export function judgeCode(
  code: AuthorizationCode,
  clientId: string,
  parameters: Parameters,
  nowSeconds: number,
  digests: Digests,
): CodeRefusal | undefined {
  if (code.state === 'redeemed') return 'code_replayed';
  if (code.state === 'ended') return 'code_ended';
  if (code.expiresAt <= nowSeconds) return 'code_expired';
  if (code.clientId !== clientId) return 'code_of_another_client';
  if (code.redirectUri !== parameterOf(parameters, 'redirect_uri')) return 'redirect_uri_differs';
  return judgeVerifier(code.codeChallenge, parameterOf(parameters, 'code_verifier'), digests);
}

/** A verifier without a challenge is refused as well: someone took the challenge out (RFC 9700 section 4.8.2). */
function judgeVerifier(
  challenge: string | undefined,
  verifier: string | undefined,
  digests: Digests,
): CodeRefusal | undefined {
  if (challenge === undefined) return verifier === undefined ? undefined : 'code_verifier_unexpected';
  if (verifier === undefined) return 'code_verifier_missing';
  const fits = verifierPattern.test(verifier) && digests.equal(digests.sha256Base64Url(verifier), challenge);
  return fits ? undefined : 'code_verifier_wrong';
}

/**
 * Whether a refusal ends the code and its grant. A code is good for one use at the token endpoint (RFC 9700 section 4.2.4),
 * and a use with the wrong client, redirect URI or verifier means that it got into wrong hands; a replay means that its
 * tokens may have (RFC 6749 section 4.1.2).
 */
export function endsGrant(refusal: CodeRefusal): boolean {
  return refusal !== 'code_ended' && refusal !== 'code_expired';
}
