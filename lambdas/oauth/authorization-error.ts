/** Codes of RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6 and RFC 8707 section 2. */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported';

/** A refusal the application hears of, by redirect: its redirect URI is known to be its own. */
export interface AuthorizationError {
  readonly error: AuthorizationErrorCode;
  /** For its developer; ASCII without `"` and `\` (RFC 6749 section 4.1.2.1). */
  readonly description: string;
}

/** A refusal only the person at the browser sees: there is no address that could be trusted with it. */
export type UnredirectableReason =
  | 'client_id_missing'
  | 'client_unknown'
  | 'client_inactive'
  | 'redirect_uri_missing'
  | 'redirect_uri_unregistered';
