/**
 * Every `error` the authorization servers answer with, what it means here and what helps: the functions' types, the public
 * list of errors and the API's description are made of these tables.
 */
interface OAuthErrorMeaning {
  readonly meaning: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Answers of the token, revocation and introspection endpoints: codes of RFC 6749 section 5.2, and where it has no word, others. */
export const tokenErrors = {
  invalid_request: {
    meaning:
      'A parameter is missing, malformed or sent twice, or two ways of authentication were used at once.',
    fix: '`error_description` names the parameter. Send each one once, in JSON or in a form, and authenticate in one way only.',
  },
  invalid_client: {
    meaning: 'The application could not be authenticated, or it is suspended or revoked.',
    fix: 'Check client id and secret and that both are of this environment. With HTTP Basic, encode `client_id:client_secret` in base64. At `/token/v2` the subscription key must be of the same application.',
  },
  invalid_grant: {
    meaning:
      'The code or refresh token is unknown, expired, already used, or was issued for another application, redirect URI or code verifier.',
    fix: 'Exchange a code once and at once, with the very `redirect_uri` of the authorization request. Keep the newest refresh token: an older one used again ends the whole access.',
  },
  unauthorized_client: {
    meaning: 'The application is not registered for this grant type or this line of business.',
    fix: 'Compare grant type and lines of business in the portal with the request.',
  },
  unsupported_grant_type: {
    meaning: 'This endpoint does not know the grant type.',
    fix: 'Use `authorization_code` or `refresh_token` at a line of business’s token endpoint, `client_credentials` at `/token/v2`.',
  },
  invalid_scope: {
    meaning: 'The scope is unknown, or wider than what was granted.',
    fix: 'At a refresh ask for what was granted or less. At `/token/v2` send `<environment resource id>/.default`.',
  },
  /** RFC 8707 section 2. */
  invalid_target: {
    meaning: '`resource` names another server.',
    fix: 'Leave `resource` out, or send the address `error_description` names.',
  },
  /** Section 5.2 has no word for a limit; this one is of section 4.1.2.1, and the gateway's own 429 says it too. */
  temporarily_unavailable: {
    meaning: 'Too many requests (429), or the service is busy (503).',
    fix: 'Wait as long as `Retry-After` says, then try again.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning>>;

/** Codes of RFC 6749 section 5.2 and RFC 8707 section 2. */
export type TokenErrorCode = keyof typeof tokenErrors;

/** What is no fault of the request. */
export const serverErrors = {
  server_error: {
    meaning: 'The request failed on our side.',
    fix: 'Try again. If it stays, tell us the `X-Request-Id` of the answer.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning>>;

/** Codes that come back to the redirect URI: RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707 section 2. */
export const authorizationErrors = {
  invalid_request: {
    meaning: 'A parameter is missing, malformed or sent twice.',
    fix: '`error_description` names it. `aud` must be the FHIR base of this line of business; PKCE must use `S256`; without PKCE, `state` is required.',
  },
  unauthorized_client: {
    meaning:
      'The application is not registered for this line of business or for the authorization code grant.',
    fix: 'Add the line of business to the application in the portal, or use one it has.',
  },
  access_denied: {
    meaning: 'The member did not agree to share their data.',
    fix: 'Tell the member that nothing was shared, and let them try again when they wish.',
  },
  unsupported_response_type: {
    meaning: '`response_type` is not `code`.',
    fix: 'Send `response_type=code`. The implicit grant is not offered.',
  },
  invalid_scope: {
    meaning: 'Nothing of the scope asked for can be granted to the application.',
    fix: 'Ask for `openid` alone to get the application’s default, or for scopes from the list.',
  },
  invalid_target: {
    meaning: '`resource` names another server.',
    fix: 'Leave `resource` out, or send the same address as in `aud`.',
  },
  login_required: {
    meaning:
      '`prompt=none` was sent and no sign-in is kept in the browser that answers the request; or the member who signed in is not the one `id_token_hint` names.',
    fix: 'Send the request without `prompt=none`, so that the member can sign in.',
  },
  consent_required: {
    meaning:
      '`prompt=none` was sent, and the member has not shared as much with the application since they signed in.',
    fix: 'Send the request without `prompt=none`, so that the member can decide.',
  },
  request_not_supported: {
    meaning: 'The request object `request` was sent.',
    fix: 'Send the parameters in the query string.',
  },
  request_uri_not_supported: {
    meaning: 'The request object `request_uri` was sent.',
    fix: 'Send the parameters in the query string.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning>>;

export type AuthorizationErrorCode = keyof typeof authorizationErrors;

/** A refusal only the person at the browser sees, as a page: there is no address that could be trusted with it. */
export const unredirectableReasons = {
  client_id_missing: {
    meaning: '`client_id` is missing.',
    fix: 'Send the client id of the environment the request goes to.',
  },
  client_unknown: {
    meaning: 'No application has this client id in this environment.',
    fix: 'Sandbox and production have client ids of their own.',
  },
  client_inactive: {
    meaning: 'The application is suspended or revoked, or not yet approved for production.',
    fix: 'The portal shows the state of the application and what can be done.',
  },
  redirect_uri_missing: {
    meaning: '`redirect_uri` is missing.',
    fix: 'Send it, even where only one is registered.',
  },
  redirect_uri_unregistered: {
    meaning: '`redirect_uri` is not one of those registered.',
    fix: 'It is compared letter by letter: scheme, host, port, path, query and the trailing slash must be as registered. Only the port of a native app’s http://127.0.0.1 or http://[::1] may differ.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning>>;

export type UnredirectableReason = keyof typeof unredirectableReasons;

/** Answers to a bearer token at UserInfo, with their status (RFC 6750 section 3.1). */
export const bearerErrors = {
  invalid_request: {
    status: 400,
    meaning: 'The token is malformed, or came in the header and in the body.',
    fix: 'Send it once: `Authorization: Bearer <access token>`.',
  },
  invalid_token: {
    status: 401,
    meaning: 'The access token is unknown, expired, revoked, or of another line of business.',
    fix: 'Refresh it, or ask the member again.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The token was not granted the scope `openid`.',
    fix: 'Ask for `openid` in the authorization request.',
  },
  /** No word of RFC 6750's; the token endpoints say it too. */
  temporarily_unavailable: {
    status: 429,
    meaning: 'Too many requests for one member.',
    fix: 'Wait as long as `Retry-After` says. Who signed in doesn’t change: keep the answer.',
  },
} as const satisfies Readonly<Record<string, OAuthErrorMeaning & { readonly status: number }>>;

export type BearerErrorCode = keyof typeof bearerErrors;
