import type { TokenErrorCode } from '../../catalog/oauth-errors.ts';

export interface TokenErrorResponse {
  readonly error: TokenErrorCode;
  /** For the application's developer; ASCII without `"` and `\`. */
  readonly description: string;
  /** For audit and log; finer than the code, and not told to the caller. */
  readonly reason: string;
  /** Present where the client asked too often: the answer is 429. */
  readonly retryAfterSeconds?: number;
}

export function refuseToken(
  error: TokenErrorCode,
  description: string,
  reason: string,
): { readonly refusal: TokenErrorResponse } {
  return { refusal: { error, description, reason } };
}

/** Too many requests. Not audited: nobody's access was decided on, and a flood would fill the audit. */
export function refuseForRate(retryAfterSeconds: number): { readonly refusal: TokenErrorResponse } {
  const { refusal } = refuseToken(
    'temporarily_unavailable',
    'Too many requests. Wait and try again.',
    'rate_limited',
  );
  return { refusal: { ...refusal, retryAfterSeconds } };
}
