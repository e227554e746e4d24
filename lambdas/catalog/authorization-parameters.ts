/**
 * The parameters of the authorization request: what the authorization endpoint reads, and what the documentation lists.
 * Source: service description, "Authorization query parameters"; RFC 6749 section 4.1.1, RFC 7636, OpenID Connect Core
 * section 3.1.2.1, RFC 8707.
 */
interface AuthorizationParameter {
  readonly required: 'yes' | 'no' | 'by default' | 'not supported';
  readonly meaning: string;
  /** RFC 6749 section 3.1 forbids it, RFC 8707 section 2 allows it for `resource`. */
  readonly mayRepeat?: true;
}

export const authorizationParameters = {
  client_id: { required: 'yes', meaning: 'The application’s client id in this environment.' },
  response_type: { required: 'yes', meaning: '`code`.' },
  redirect_uri: {
    required: 'yes',
    meaning: 'One of the registered redirect URIs, letter by letter.',
  },
  scope: {
    required: 'no',
    meaning:
      'What is asked for, separated by spaces. `openid` alone, or nothing, asks for the application’s default: reading what its products serve.',
  },
  state: {
    required: 'no',
    meaning:
      'An opaque value that comes back unchanged; bind it to the browser. Required where PKCE is not used. At most 2,000 characters.',
  },
  aud: {
    required: 'yes',
    meaning: 'The FHIR base of Patient Access of this line of business.',
  },
  code_challenge: {
    required: 'by default',
    meaning:
      'PKCE: the base64url of the SHA-256 of the code verifier. A confidential application may be registered without PKCE.',
  },
  code_challenge_method: { required: 'by default', meaning: '`S256`; `plain` is refused.' },
  nonce: { required: 'no', meaning: 'Comes back in the id_token. At most 2,000 characters.' },
  response_mode: { required: 'no', meaning: '`query`, which is also what happens without it.' },
  prompt: {
    required: 'no',
    meaning:
      '`login` and `select_account` ask for a sign-in, `consent` for what always happens. `none` asks for a code without a page: it is given where the member has kept their sign-in in this browser and has shared as much with the application in it, and otherwise answered with `login_required` or `consent_required`.',
  },
  max_age: {
    required: 'no',
    meaning: 'How old the member’s sign-in may be, in seconds. `0` asks for a sign-in.',
  },
  id_token_hint: {
    required: 'no',
    meaning: 'An id_token the application was given: nobody but the member it names answers the request.',
  },
  resource: { required: 'no', meaning: 'The same address as in `aud`.', mayRepeat: true },
  request: { required: 'not supported', meaning: 'Request objects are refused.' },
  request_uri: { required: 'not supported', meaning: 'Request objects are refused.' },
} as const satisfies Readonly<Record<string, AuthorizationParameter>>;

export type AuthorizationParameterName = keyof typeof authorizationParameters;

/** Every parameter that may come once only. Unknown ones are ignored (RFC 6749 section 3.1), however often they come. */
export const singleAuthorizationParameters: readonly string[] = Object.entries(authorizationParameters)
  .filter(([, parameter]) => !('mayRepeat' in parameter))
  .map(([name]) => name);
