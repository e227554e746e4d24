/** Refusal of an authorization request by redirect (RFC 6749 section 4.1.2.1). */

import type { AuthorizationErrorCode } from '../../catalog/oauth/oauth-errors.ts';

/** A refusal the application hears of, by redirect: its redirect URI is known to be its own. */
export interface AuthorizationError {
  readonly error: AuthorizationErrorCode;
  /** For its developer; ASCII without `"` and `\` (RFC 6749 section 4.1.2.1). */
  readonly description: string;
}
