/**
 * The parameters of an authorization request, which the authorization endpoint reads and the documentation lists. Source: docs/service.md
 * S6.1; RFC 6749 section 4.1.1, RFC 7636, OpenID Connect Core section 3.1.2.1, RFC 8707.
 */

interface AuthorizationParameter {
  readonly required: 'yes' | 'no' | 'by default' | 'not supported';
  readonly meaning: string;
}

export const authorizationParameters = {
  client_id: { required: 'yes', meaning: 'The application’s client ID in this environment.' },
  response_type: { required: 'yes', meaning: '`code`.' },
  redirect_uri: {
    required: 'yes',
    meaning: 'One of the registered redirect URIs, compared character by character.',
  },
  scope: {
    required: 'no',
    meaning:
      'The requested scopes, separated by spaces. `openid` alone, or no scope, requests the application’s default: reading all resource types of its products.',
  },
  state: {
    required: 'no',
    meaning:
      'An opaque value that the response returns unchanged; bind it to the browser. Required without PKCE. At most 2,000 characters.',
  },
  aud: {
    required: 'yes',
    meaning: 'The Patient Access FHIR base of this line of business.',
  },
  code_challenge: {
    required: 'by default',
    meaning:
      'PKCE: the base64url of the SHA-256 of the code verifier. A confidential application may be registered without PKCE.',
  },
  code_challenge_method: { required: 'by default', meaning: '`S256`; `plain` is refused.' },
  nonce: { required: 'no', meaning: 'Returned in the id_token. At most 2,000 characters.' },
  response_mode: { required: 'no', meaning: '`query`, which is also the default.' },
  prompt: {
    required: 'no',
    meaning:
      '`login` and `select_account` require a sign-in. `consent` has no effect, because the member always consents. `none` requests a code without a page. It succeeds if the member has an SSO session in this browser and has shared at least as much with the application in it. Otherwise the response is `login_required` or `consent_required`.',
  },
  max_age: {
    required: 'no',
    meaning: 'The maximum age of the member’s sign-in, in seconds. `0` requires a sign-in.',
  },
  login_hint: {
    required: 'no',
    meaning:
      'The member ID or e-mail address that the sign-in page shows filled in. The member can change it.',
  },
  id_token_hint: {
    required: 'no',
    meaning: 'An id_token issued to the application. Only the member it names can complete the request.',
  },
  resource: {
    required: 'no',
    meaning: 'The same URL as in `aud`. The only parameter that may be sent more than once.',
  },
  request: { required: 'not supported', meaning: 'Request objects are refused.' },
  request_uri: { required: 'not supported', meaning: 'Request objects are refused.' },
} as const satisfies Readonly<Record<string, AuthorizationParameter>>;

export type AuthorizationParameterName = keyof typeof authorizationParameters;
