/** Checks of an id token's claims that the OpenID Connect library leaves to its user. */

import { repeatsMember } from '../../platform/kernel/json-faults.ts';

/** The end of the year 9999, seconds since 1970: no time of a token is later. */
const latestTime = 253_402_300_799;
/** Longest subject identifier (OpenID Connect Core section 2). */
const longestSubject = 255;

/** Claims of a verified id token, as far as they are checked here. */
interface IdTokenClaims {
  readonly sub: string;
  readonly azp?: unknown;
  readonly exp: unknown;
  readonly iat: unknown;
  readonly auth_time?: unknown;
}

/**
 * Finds what is wrong with an id token whose signature, issuer, audience and nonce are verified.
 *
 * - `azp` names the party the token was issued to, also where there is one audience only (OpenID Connect Core section 3.1.3.7).
 * - A subject is a text of at most 255 characters (section 2); none at all would be one account for everybody.
 * - A claim that is there twice is read differently by two readers (RFC 7519 section 4, RFC 8725 section 2.4).
 * - A time is a whole number of seconds or a fraction of one, and before the year 10,000: no token is valid for ever.
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
