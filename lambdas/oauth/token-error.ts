/** Codes of RFC 6749 section 5.2. */
export type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope';

export interface TokenRefusal {
  readonly error: TokenErrorCode;
  /** For the application's developer; ASCII without `"` and `\`. */
  readonly description: string;
  /** For audit and log; finer than the code, and not told to the caller. */
  readonly reason: string;
}

export function refuseToken(
  error: TokenErrorCode,
  description: string,
  reason: string,
): { readonly refusal: TokenRefusal } {
  return { refusal: { error, description, reason } };
}
