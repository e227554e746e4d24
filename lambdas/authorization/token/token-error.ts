/** Error responses of the token endpoints. */

import type { TokenErrorCode } from '../../catalog/oauth/oauth-errors.ts';

/** Error response of a token endpoint (RFC 6749 section 5.2). */
export interface TokenErrorResponse {
  readonly error: TokenErrorCode;
  /** Text for the application's developer; ASCII without `"` and `\`. */
  readonly description: string;
  /** Reason for audit and log. It is more specific than the error code, and not sent to the caller. */
  readonly reason: string;
  /** Present if the client sent too many requests: the response is 429. */
  readonly retryAfterSeconds?: number;
}

/** A refused request to a token, revocation or introspection endpoint. */
export interface TokenRefusal {
  readonly kind: 'refusal';
  readonly refusal: TokenErrorResponse;
}

/** Makes a refusal. @param reason for audit and log. */
export function refuseToken(error: TokenErrorCode, description: string, reason: string): TokenRefusal {
  return { kind: 'refusal', refusal: { error, description, reason } };
}

/** Refuses a request because there were too many. Not audited: the access was not decided on, and a flood would fill the audit. */
export function refuseForRate(retryAfterSeconds: number): TokenRefusal {
  const { refusal } = refuseToken(
    'temporarily_unavailable',
    'Too many requests. Wait and try again.',
    'rate_limited',
  );
  return { kind: 'refusal', refusal: { ...refusal, retryAfterSeconds } };
}
