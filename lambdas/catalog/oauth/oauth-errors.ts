/**
 * Every `error` of the authorization servers, its meaning and the advice to developers. The functions' types, the public list of errors and
 * the API description are made from these tables.
 */

interface OAuthErrorMeaning {
  readonly meaning: string;
  /** Advice to the developer. */
  readonly fix: string;
}

/** Errors of the token, revocation and introspection endpoints: codes of RFC 6749 section 5.2, and others if it has no suitable code. */
export const tokenErrors = {
  invalid_request: {
    meaning:
      'A parameter is missing, malformed or sent twice, or the request uses two methods of client authentication.',
    fix: '`error_description` names the parameter. Send each parameter once, in JSON or in a form, and use one method of client authentication.',
  },
  invalid_client: {
    meaning: 'The application could not be authenticated, or it is suspended or revoked.',
    fix: 'Check that client ID and secret are correct and belong to this environment. With HTTP Basic, encode `client_id:client_secret` in base64. At `/token/v2` the subscription key must be of the same application.',
  },
  invalid_grant: {
    meaning:
      'The code or refresh token is unknown, expired, already used, or was issued for another application, redirect URI or code verifier.',
    fix: 'Exchange a code once, within its lifetime, with the `redirect_uri` of the authorization request. Store the newest refresh token: reusing an older one ends the grant.',
  },
  unauthorized_client: {
    meaning: 'The application is not registered for this grant type or this line of business.',
    fix: 'Compare the request with the application’s grant types and lines of business in the portal.',
  },
  unsupported_grant_type: {
    meaning: 'This endpoint does not support the grant type.',
    fix: 'Use `authorization_code` or `refresh_token` at a line of business’s token endpoint, `client_credentials` at `/token/v2`.',
  },
  invalid_scope: {
    meaning: 'The scope is unknown, or wider than the granted scope.',
    fix: 'In a refresh request, send the granted scope, a part of it, or no scope. At `/token/v2` send `<environment resource id>/.default`.',
  },
  /** Error of RFC 8707 section 2. */
  invalid_target: {
    meaning: '`resource` identifies another server.',
    fix: 'Leave `resource` out, or send the URL in `error_description`.',
  },
  /** RFC 6749 section 5.2 has no code for rate limits. This one is from section 4.1.2.1, and API Gateway's 429 has it too. */
  temporarily_unavailable: {
    meaning: 'Too many requests (429), or the service is busy (503).',
    fix: 'Wait the seconds in `Retry-After`, then try again.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning>>;

/** Codes of RFC 6749 section 5.2 and RFC 8707 section 2. */
export type TokenErrorCode = keyof typeof tokenErrors;

/** Errors of failures of the server. */
export const serverErrors = {
  server_error: {
    meaning: 'The service failed to process the request.',
    fix: 'Try again. If the error persists, report the `X-Request-Id` of the response.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning>>;

/** Errors that are sent to the redirect URI: RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707 section 2. */
export const authorizationErrors = {
  invalid_request: {
    meaning: 'A parameter is missing, malformed or sent twice.',
    fix: '`error_description` names it. `aud` must be the FHIR base of this line of business; PKCE must use `S256`; without PKCE, `state` is required.',
  },
  unauthorized_client: {
    meaning:
      'The application is not registered for this line of business or for the authorization code grant.',
    fix: 'Add the line of business to the application in the portal, or use one that it has.',
  },
  access_denied: {
    meaning: 'The member declined to share their data.',
    fix: 'Tell the member that nothing was shared, and offer to try again.',
  },
  unsupported_response_type: {
    meaning: '`response_type` is not `code`.',
    fix: 'Send `response_type=code`. The implicit grant is not offered.',
  },
  invalid_scope: {
    meaning: 'The application cannot be granted any of the requested scopes.',
    fix: 'Request `openid` alone for the application’s default, or request scopes from the list.',
  },
  invalid_target: {
    meaning: '`resource` identifies another server.',
    fix: 'Leave `resource` out, or send the same URL as in `aud`.',
  },
  login_required: {
    meaning:
      'The request has `prompt=none` and the browser has no SSO session, or the member who signed in is not the one in `id_token_hint`.',
    fix: 'Send the request without `prompt=none`, so that the member can sign in.',
  },
  /** Error of OpenID Connect Core section 3.1.2.6. */
  interaction_required: {
    meaning:
      'The request has `prompt=none`, and the account may act for several patients: the person must choose whose data to share.',
    fix: 'Send the request without `prompt=none`, so that the person can choose.',
  },
  consent_required: {
    meaning:
      'The request has `prompt=none`, and the member has not shared as much with the application in this SSO session.',
    fix: 'Send the request without `prompt=none`, so that the member can consent.',
  },
  request_not_supported: {
    meaning: 'The request has the request object `request`.',
    fix: 'Send the parameters in the query string.',
  },
  request_uri_not_supported: {
    meaning: 'The request has the request object `request_uri`.',
    fix: 'Send the parameters in the query string.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning>>;

export type AuthorizationErrorCode = keyof typeof authorizationErrors;

/** Refusals that are shown as a page, because there is no verified redirect URI. */
export const unredirectableReasons = {
  client_id_missing: {
    meaning: '`client_id` is missing.',
    fix: 'Send the client ID of the environment of the request.',
  },
  client_unknown: {
    meaning: 'No application has this client ID in this environment.',
    fix: 'Send the client ID of this environment. Sandbox and production have different client IDs.',
  },
  client_inactive: {
    meaning: 'The application is suspended or revoked, or not yet approved for production.',
    fix: 'See the application’s state and the next step in the portal.',
  },
  redirect_uri_missing: {
    meaning: '`redirect_uri` is missing.',
    fix: 'Send `redirect_uri`, even if only one is registered.',
  },
  redirect_uri_unregistered: {
    meaning: '`redirect_uri` is not registered.',
    fix: 'Send it exactly as registered: scheme, host, port, path, query and trailing slash are compared character by character. Only the port of a native app’s http://127.0.0.1 or http://[::1] may differ.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning>>;

export type UnredirectableReason = keyof typeof unredirectableReasons;

/** Errors of UserInfo for a bearer token, with their status (RFC 6750 section 3.1). */
export const bearerErrors = {
  invalid_request: {
    status: 400,
    meaning: 'The token is malformed, or is in both the header and the body.',
    fix: 'Send it once: `Authorization: Bearer <access token>`.',
  },
  invalid_token: {
    status: 401,
    meaning: 'The access token is unknown, expired, revoked, or of another line of business.',
    fix: 'Refresh the token, or send the member through authorization again.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The token does not have the scope `openid`.',
    fix: 'Request `openid` in the authorization request.',
  },
  /** RFC 6750 has no code for rate limits; the token endpoints use this one too. */
  temporarily_unavailable: {
    status: 429,
    meaning: 'Too many requests for one member.',
    fix: 'Wait the seconds in `Retry-After`. Cache the response: the member of a token does not change.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning & { readonly status: number }>>;

export type BearerErrorCode = keyof typeof bearerErrors;
