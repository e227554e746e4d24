/** Checks of an ID token's claims that the OpenID Connect library does not make. */

import { repeatsMember } from '../../platform/kernel/json-faults.ts';

/** End of the year 9999, seconds since 1970: the latest time that a claim may have. */
const latestTime = 253_402_300_799;
/** Maximum characters of a subject identifier (OpenID Connect Core section 2). */
const longestSubject = 255;

/** The claims of a verified ID token that are checked here. */
interface IdTokenClaims {
  readonly sub: string;
  readonly azp?: unknown;
  readonly exp: unknown;
  readonly iat: unknown;
  readonly auth_time?: unknown;
}

/**
 * Finds a fault in an ID token whose signature, issuer, audience and nonce are verified.
 *
 * `azp` must name this client, even with a single audience (OpenID Connect Core section 3.1.3.7). `sub` is a string of 1 to 255 characters
 * (section 2); an empty one would be the same account for everybody. A claim must not be repeated, because two readers could read different
 * values (RFC 7519 section 4, RFC 8725 section 2.4). Times are numbers of seconds before the year 10,000, so that no token is valid
 * forever.
 *
 * @param idToken the compact JWS.
 * @returns a code for the log.
 */
export function idTokenFault(idToken: string, claims: IdTokenClaims, clientId: string): string | undefined {
  if (claims.azp !== undefined && claims.azp !== clientId) return 'azp_of_another_client';
  if (
    !/^[^\p{Cc}\p{Cs}]+$/u.test(claims.sub) ||
    claims.sub.length > longestSubject ||
    claims.sub.trim() === ''
  )
    return 'subject_malformed';
  const times = [claims.exp, claims.iat, ...(claims.auth_time === undefined ? [] : [claims.auth_time])];
  if (!times.every((time) => typeof time === 'number' && time >= 0 && time <= latestTime))
    return 'time_out_of_range';
  const parts = idToken.split('.').slice(0, 2);
  const repeats = parts.some((part) => repeatsMember(Buffer.from(part, 'base64url').toString('utf8')));
  return repeats ? 'claim_repeated' : undefined;
}
