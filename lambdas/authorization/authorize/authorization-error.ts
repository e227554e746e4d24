/** Refusal of an authorization request by redirect (RFC 6749 section 4.1.2.1). */

import type { AuthorizationErrorCode } from '../../catalog/oauth/oauth-errors.ts';

/** A refusal that the application receives by redirect, because its redirect URI has been verified. */
export interface AuthorizationError {
  readonly error: AuthorizationErrorCode;
  /** Text for the application's developer; ASCII without `"` and `\` (RFC 6749 section 4.1.2.1). */
  readonly description: string;
}
