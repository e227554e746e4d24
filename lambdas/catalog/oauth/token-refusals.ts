/**
 * Reasons of the token, revocation and introspection endpoints to refuse a request, more specific than the error code in the response. They
 * are in the log of calls, which only the application's own developers see.
 */

import type { CallRefusal } from '../call-refusal.ts';

const oneMethod =
  'Send the client ID and its secret once: in HTTP Basic, or in the body. Send nothing else with an assertion.';
const showSecret = 'Copy the client secret of this environment from View Credentials.';
const assertionClaims =
  'Make a new assertion for each request: `iss` and `sub` are the client ID, `aud` is the token endpoint, `exp` is at most five minutes ahead, `jti` is new.';
const registeredKeys =
  'Compare `kid` and the algorithm of the assertion with the public keys in the application’s configuration.';
const exchangeOnce =
  'Exchange a code once and at once, with the values of its own authorization request. Send the member through authorization again.';
const newestRefreshToken =
  'Store the refresh token of each response before you use it, and use the newest one. Send the member through authorization again.';
const configuration = 'Compare the request with the application’s configuration.';

export const tokenEndpointRefusals: Readonly<Record<string, CallRefusal>> = {
  repeated: {
    expected: 'each parameter once',
    received: 'a parameter that was sent more than once',
    fix: 'The field `error_description` of the response names the parameter.',
  },
  credentials_missing: {
    expected: 'the client ID, with the client’s secret or assertion',
    received: 'a request without a client ID',
    fix: oneMethod,
  },
  header_malformed: {
    expected: '`Authorization: Basic` with the base64 of client ID, colon and secret',
    received: 'another header',
    fix: oneMethod,
  },
  two_methods: {
    expected: 'one method of client authentication',
    received: 'two of them',
    fix: oneMethod,
  },
  two_clients: {
    expected: 'the same client ID everywhere in the request',
    received: 'two client IDs',
    fix: oneMethod,
  },
  method_not_registered: {
    expected: 'the registered method of client authentication',
    received: 'an assertion of a client that is not registered for assertions',
    fix: configuration,
  },
  client_inactive: {
    expected: 'an active application',
    received: 'the credentials of an application that is suspended, revoked or not yet approved',
    fix: 'See the application’s page for its state and the next step.',
  },
  client_secret_wrong: {
    expected: 'a client secret of this environment that has not ended',
    received: 'another secret, one that a rotation has ended, or none',
    fix: showSecret,
  },
  client_public: {
    expected: 'a client that authenticates itself',
    received: 'a public client, which has no credentials',
    fix: 'Register a confidential application for this call.',
  },
  rate_limited: {
    expected: 'fewer requests of this application, and fewer failed ones',
    received: 'more requests in a minute than the endpoint accepts',
    fix: 'Wait the number of seconds in `Retry-After`. Use an access token until it expires instead of requesting another.',
  },
  assertion_type: {
    expected: '`client_assertion` with `client_assertion_type` for JWT',
    received: 'one without the other, or another type',
    fix: 'The field `error_description` of the response has the type to send.',
  },
  assertion_malformed: {
    expected: 'a signed JWT in `client_assertion`',
    received: 'something else',
    fix: assertionClaims,
  },
  assertion_algorithm: {
    expected: 'an assertion signed with a supported algorithm',
    received: 'another algorithm',
    fix: 'Sign with RS384 or ES384, and say so in `alg`.',
  },
  assertion_subject: {
    expected: 'the client ID in `iss` and in `sub`',
    received: 'another value',
    fix: assertionClaims,
  },
  assertion_audience: {
    expected: 'the token endpoint or its issuer in `aud`',
    received: 'another audience',
    fix: assertionClaims,
  },
  assertion_expired: {
    expected: 'an assertion that has not expired',
    received: 'an expired one',
    fix: assertionClaims,
  },
  assertion_too_long: {
    expected: 'an assertion that expires within five minutes',
    received: 'one that lasts longer',
    fix: assertionClaims,
  },
  assertion_not_yet_valid: {
    expected: 'an assertion made before now',
    received: 'one of the future',
    fix: 'Set the clock of your server.',
  },
  assertion_key_unknown: {
    expected: 'an assertion signed with a registered key',
    received: 'a key that is not registered',
    fix: registeredKeys,
  },
  assertion_keys_unavailable: {
    expected: 'the public keys at the registered address',
    received: 'an address that does not answer with a JWK Set',
    fix: 'Check that the address in the configuration is public and answers quickly.',
  },
  assertion_signature: {
    expected: 'a valid signature',
    received: 'an invalid signature',
    fix: registeredKeys,
  },
  assertion_reused: {
    expected: 'an assertion that was not used before',
    received: 'one with a `jti` that was used',
    fix: assertionClaims,
  },
  grant_type_missing: {
    expected: '`grant_type`',
    received: 'a request without it',
    fix: 'Send `grant_type` in the body.',
  },
  grant_type_unsupported: {
    expected: 'a grant type of this endpoint',
    received: 'another one',
    fix: 'Use `authorization_code` or `refresh_token` at a line of business’s token endpoint, `client_credentials` at `/token/v2`.',
  },
  grant_type_not_registered: {
    expected: 'a grant type that the application is registered for',
    received: 'another one',
    fix: configuration,
  },
  lob_not_registered: {
    expected: 'a line of business of the application',
    received: 'a request to another one’s token endpoint',
    fix: configuration,
  },
  resource_foreign: {
    expected: '`resource` of this server, or none',
    received: 'another server’s',
    fix: 'Leave `resource` out.',
  },
  expires_in_unsupported: {
    expected: 'whole seconds in `expires_in`, at most the configured lifetime',
    received: 'another value',
    fix: 'Leave `expires_in` out, or send fewer seconds.',
  },
  scope_unknown: {
    expected: 'scopes of this environment',
    received: 'another scope',
    fix: 'Copy the scope for machine-to-machine tokens from View Credentials.',
  },
  scope_unserved: {
    expected: 'a scope that the application can be granted',
    received: 'scopes that need a verified payer’s application',
    fix: 'Copy the scope for machine-to-machine tokens from View Credentials.',
  },
  scope_widened: {
    expected: 'the granted scope, or a part of it',
    received: 'more than was granted',
    fix: 'Leave `scope` out when you refresh.',
  },
  code_missing: { expected: '`code`', received: 'a request without it', fix: exchangeOnce },
  code_unknown: {
    expected: 'a code of this line of business, issued to this application',
    received: 'another text',
    fix: exchangeOnce,
  },
  code_replayed: {
    expected: 'a code that was not exchanged before',
    received: 'a code that was exchanged, which ended the grant of its first exchange',
    fix: exchangeOnce,
  },
  code_ended: {
    expected: 'a code that is still valid',
    received: 'a code that an earlier failed exchange has ended',
    fix: exchangeOnce,
  },
  code_expired: {
    expected: 'a code that has not expired',
    received: 'an expired code',
    fix: exchangeOnce,
  },
  redirect_uri_missing: {
    expected: '`redirect_uri` of the authorization request',
    received: 'a request without it',
    fix: exchangeOnce,
  },
  redirect_uri_differs: {
    expected: '`redirect_uri` of the authorization request, character by character',
    received: 'another one, which ended the grant',
    fix: exchangeOnce,
  },
  redirect_uri_removed: {
    expected: 'a registered redirect URI',
    received: 'one that was removed from the configuration after the authorization request',
    fix: configuration,
  },
  code_verifier_missing: {
    expected: '`code_verifier` of the authorization request’s `code_challenge`',
    received: 'a request without it, which ended the grant',
    fix: exchangeOnce,
  },
  code_verifier_unexpected: {
    expected: 'no `code_verifier`, because the authorization request had no `code_challenge`',
    received: 'one, which ended the grant',
    fix: 'Send `code_challenge` and `code_challenge_method=S256` in the authorization request.',
  },
  code_verifier_wrong: {
    expected: 'the `code_verifier` whose SHA-256 is the `code_challenge`',
    received: 'another one, which ended the grant',
    fix: 'Keep the verifier of each authorization request, and send it unchanged.',
  },
  refresh_token_missing: {
    expected: '`refresh_token`',
    received: 'a request without it',
    fix: newestRefreshToken,
  },
  refresh_token_unknown: {
    expected: 'a refresh token of this application and line of business',
    received: 'another text',
    fix: newestRefreshToken,
  },
  refresh_token_revoked: {
    expected: 'a refresh token that is still valid',
    received: 'one that was revoked, or whose member stopped sharing',
    fix: newestRefreshToken,
  },
  refresh_token_expired: {
    expected: 'a refresh token that has not expired',
    received: 'one that was unused for too long, or whose grant is over',
    fix: newestRefreshToken,
  },
  refresh_token_reused: {
    expected: 'the newest refresh token',
    received: 'an older one, which ended the grant, because it may be stolen',
    fix: newestRefreshToken,
  },
  refresh_token_contended: {
    expected: 'one refresh at a time',
    received: 'several refreshes with the same token at once',
    fix: 'Refresh once, and share the response between the parts of your application.',
  },
  grant_ended: {
    expected: 'an active grant',
    received: 'a grant that has ended: the member stopped sharing, or it is over',
    fix: 'Send the member through authorization again.',
  },
  account_ended: {
    expected: 'the account of a member',
    received: 'an account that is closed or locked',
    fix: 'Send the member through authorization again, once they have an account.',
  },
  token_missing: {
    expected: '`token`, the token to revoke or to introspect',
    received: 'a request without it',
    fix: 'Send the token in the body.',
  },
  token_of_another_client: {
    expected: 'a token of this application',
    received: 'another token',
    fix: 'Send the credentials of the application that the token was issued to.',
  },
};

/**
 * The reason that is shown instead of another one. The response to a stolen code or token tells its holder nothing, and nor does the log of
 * the application that sent it.
 */
export const shownReasons: Readonly<Record<string, string>> = {
  code_of_another_client: 'code_unknown',
  refresh_token_of_another_client: 'refresh_token_unknown',
};
