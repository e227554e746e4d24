/** Ordered table of the checks of an authorization request. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { AuthorizationErrorCode, UnredirectableReason } from '../../catalog/oauth/oauth-errors.ts';
import { scopeCategories, typeOfUnknownConstraint } from '../../catalog/oauth/scopes.ts';
import { needsPkce, type OAuthClient } from '../oauth/oauth-client.ts';
import { type Parameters, parameterOf, repeatedParameter, valuesOf } from '../oauth/parameters.ts';
import { matchesRegistered } from '../oauth/redirect-uri.ts';
import { grantableScope } from '../oauth/scope-grant.ts';
import { isSignedToken, maxAgeOf, promptsOf } from './authentication-parameters.ts';
import type { AuthorizationError } from './authorization-error.ts';

/** An authorization request before any of it is verified. */
export interface UnverifiedRequest {
  readonly parameters: Parameters;
  readonly lob: LineOfBusiness;
  /** FHIR base of this LOB's Patient Access API, the only audience. */
  readonly audience: string;
  /** The registered application of the `client_id`, if there is one. */
  readonly client: OAuthClient | undefined;
}

/** An authorization request whose client and redirect URI are known to belong together. */
export interface RequestOfClient extends UnverifiedRequest {
  readonly client: OAuthClient;
}

interface Named {
  readonly name: string;
  /** Section of the specification that the check comes from. */
  readonly source: string;
  /** The expected request, as the log of calls explains the failure to the application's developer: a part of a sentence. */
  readonly expected: string | ((request: UnverifiedRequest) => string);
  /** Parameters whose sent values explain the failure there. */
  readonly explainedBy: readonly string[];
}

/** A check before the redirect URI is verified: its failure shows an error page. */
export interface PageCheck extends Named {
  readonly mayRedirect: false;
  verify(request: UnverifiedRequest): UnredirectableReason | undefined;
}

/** A check whose failure is sent to the application by redirect (RFC 6749 section 4.1.2.1). */
export interface RedirectCheck extends Named {
  readonly mayRedirect: true;
  verify(request: RequestOfClient): AuthorizationError | undefined;
}

/**
 * The checks of an authorization request, in the order of the specification: the first that fails determines the response. No error
 * redirects before the redirect URI is known to be the client's (RFC 6749 section 4.1.2.1).
 */
export const requestChecks: readonly (PageCheck | RedirectCheck)[] = [
  {
    name: 'client_id is present',
    source: 'RFC 6749 section 4.1.1',
    expected: '`client_id`',
    explainedBy: [],
    mayRedirect: false,
    verify: ({ parameters }) =>
      parameterOf(parameters, 'client_id') === undefined ? 'client_id_missing' : undefined,
  },
  {
    name: 'client is registered',
    source: 'RFC 6749 section 4.1.2.1',
    expected: 'the client ID of an application in this environment',
    explainedBy: [],
    mayRedirect: false,
    verify: ({ client }) => (client === undefined ? 'client_unknown' : undefined),
  },
  {
    // A suspended or revoked application gets no redirect either: its redirect URI may be the reason for the suspension.
    name: 'client is active',
    source: 'RFC 6749 section 4.1.2.1',
    expected: 'an active application',
    explainedBy: [],
    mayRedirect: false,
    verify: ({ client }) => (client?.state === 'active' ? undefined : 'client_inactive'),
  },
  {
    // Required even if the client has registered only one.
    name: 'redirect_uri is present',
    source: 'OpenID Connect Core section 3.1.2.1',
    expected: '`redirect_uri`',
    explainedBy: ['redirect_uri'],
    mayRedirect: false,
    verify: ({ parameters }) =>
      parameterOf(parameters, 'redirect_uri') === undefined ? 'redirect_uri_missing' : undefined,
  },
  {
    name: 'redirect_uri is registered for the client',
    source: 'RFC 6749 section 3.1.2.3, RFC 9700 section 4.1.3',
    expected: ({ client }) =>
      `one of the registered redirect URIs: ${client?.redirectUris.join(' ') || 'none'}`,
    explainedBy: ['redirect_uri'],
    mayRedirect: false,
    verify: ({ parameters, client }) =>
      client !== undefined && matchesRegistered(client, parameterOf(parameters, 'redirect_uri') ?? '')
        ? undefined
        : 'redirect_uri_unregistered',
  },
  {
    name: 'no parameter is repeated',
    source: 'RFC 6749 section 3.1',
    expected: 'each parameter once',
    explainedBy: [],
    mayRedirect: true,
    verify: ({ parameters }) => {
      const repeated = repeatedParameter(parameters);
      return repeated === undefined
        ? undefined
        : refuse('invalid_request', `${repeated} was sent more than once`);
    },
  },
  {
    // Refused rather than ignored: a request object could contain restrictions.
    name: 'no request object is sent',
    source: 'OpenID Connect Core section 3.1.2.6',
    expected: 'parameters in the query or the form, without a request object',
    explainedBy: ['request', 'request_uri'],
    mayRedirect: true,
    verify: ({ parameters }) => {
      if (valuesOf(parameters, 'request').length > 0) {
        return refuse('request_not_supported', 'request objects are not supported');
      }
      return valuesOf(parameters, 'request_uri').length > 0
        ? refuse('request_uri_not_supported', 'request objects are not supported')
        : undefined;
    },
  },
  {
    // The only supported value: RFC 9700 section 2.1.2 advises against the implicit grant.
    name: 'response_type is code',
    source: 'RFC 6749 section 3.1.1',
    expected: '`response_type=code`',
    explainedBy: ['response_type'],
    mayRedirect: true,
    verify: ({ parameters }) => {
      const responseType = parameterOf(parameters, 'response_type');
      if (responseType === undefined) return refuse('invalid_request', 'response_type is missing');
      if (responseType === 'code') return undefined;
      return refuse('unsupported_response_type', 'response_type must be code');
    },
  },
  {
    name: 'response_mode is query',
    source: 'OAuth 2.0 Multiple Response Type Encoding Practices section 2.1',
    expected: '`response_mode=query`, or none',
    explainedBy: ['response_mode'],
    mayRedirect: true,
    verify: ({ parameters }) =>
      ['query', undefined].includes(parameterOf(parameters, 'response_mode'))
        ? undefined
        : refuse('invalid_request', 'response_mode must be query'),
  },
  {
    name: 'state and nonce fit in a redirect',
    source: 'API Gateway quotas: 10,240 bytes of headers',
    expected: 'a short `state` and `nonce`',
    explainedBy: ['state', 'nonce'],
    mayRedirect: true,
    verify: ({ parameters }) => {
      const tooLong = ['state', 'nonce'].find((name) => !fitsRedirect(parameterOf(parameters, name)));
      const limit = `${longest} characters or ${longestEncoded} bytes encoded`;
      return tooLong === undefined
        ? undefined
        : refuse('invalid_request', `${tooLong} is longer than ${limit}`);
    },
  },
  {
    name: 'client is registered for the line of business',
    source: 'RFC 6749 section 4.1.2.1, unauthorized_client',
    expected: ({ client }) => `a line of business of the application: ${client?.linesOfBusiness.join(', ')}`,
    explainedBy: [],
    mayRedirect: true,
    verify: ({ client, lob }) =>
      client.linesOfBusiness.includes(lob)
        ? undefined
        : refuse('unauthorized_client', `the application is not registered for ${lob}`),
  },
  {
    name: 'client is registered for the authorization code grant',
    source: 'RFC 6749 section 4.1.2.1, unauthorized_client',
    expected: 'an application that is registered for the grant type `authorization_code`',
    explainedBy: ['response_type'],
    mayRedirect: true,
    verify: ({ client }) =>
      client.grantTypes.includes('authorization_code')
        ? undefined
        : refuse(
            'unauthorized_client',
            'the application is not registered for grant type authorization_code',
          ),
  },
  {
    // Without PKCE, `state` is the application's only defense against an injected authorization code.
    name: 'state is present without PKCE',
    source: 'RFC 9700 section 2.1.1',
    expected: '`state`, because there is no `code_challenge`',
    explainedBy: ['state', 'code_challenge'],
    mayRedirect: true,
    verify: ({ parameters, client }) => {
      const usesPkce = needsPkce(client) || parameterOf(parameters, 'code_challenge') !== undefined;
      return usesPkce || parameterOf(parameters, 'state') !== undefined
        ? undefined
        : refuse('invalid_request', 'state is required without PKCE');
    },
  },
  {
    // A challenge without method would mean `plain`, which is refused (RFC 9700 section 2.1.1).
    name: 'code_challenge is S256',
    source: 'RFC 7636 section 4.4.1',
    expected: 'a `code_challenge` of 43 characters with `code_challenge_method=S256`',
    explainedBy: ['code_challenge', 'code_challenge_method'],
    mayRedirect: true,
    verify: ({ parameters, client }) => {
      const challenge = parameterOf(parameters, 'code_challenge');
      const method = parameterOf(parameters, 'code_challenge_method');
      if (challenge === undefined && method === undefined && !needsPkce(client)) return undefined;
      if (challenge === undefined) return refuse('invalid_request', 'code_challenge is missing');
      if (method !== 'S256') return refuse('invalid_request', 'code_challenge_method must be S256');
      return s256Challenge.test(challenge)
        ? undefined
        : refuse('invalid_request', 'code_challenge must be the base64url of a SHA-256');
    },
  },
  {
    // Required, so that an application that was led to a counterfeit FHIR server does not send it our token.
    name: 'aud is the FHIR base',
    source: 'SMART App Launch 2.2, "Obtain authorization code"',
    expected: ({ audience }) => `the FHIR base of this line of business in \`aud\`: ${audience}`,
    explainedBy: ['aud'],
    mayRedirect: true,
    verify: ({ parameters, audience }) => {
      const aud = parameterOf(parameters, 'aud');
      if (aud === undefined) return refuse('invalid_request', `aud is missing; it must be ${audience}`);
      return isAudience(aud, audience) ? undefined : refuse('invalid_request', `aud must be ${audience}`);
    },
  },
  {
    // `resource` may be repeated; every value must be this server's.
    name: 'resource is the FHIR base',
    source: 'RFC 8707 section 2',
    expected: ({ audience }) =>
      `the FHIR base of this line of business in \`resource\`, or none: ${audience}`,
    explainedBy: ['resource'],
    mayRedirect: true,
    verify: ({ parameters, audience }) =>
      valuesOf(parameters, 'resource').every((resource) => isAudience(resource, audience))
        ? undefined
        : refuse('invalid_target', `resource must be ${audience}`),
  },
  {
    // An unknown value is refused: the metadata lists the known ones as `prompt_values_supported`.
    name: 'prompt is supported',
    source:
      'OpenID Connect Core section 3.1.2.1, Initiating User Registration via OpenID Connect section 4.2',
    expected: 'a supported `prompt`: `none` alone, or `login`, `consent` and `select_account`',
    explainedBy: ['prompt'],
    mayRedirect: true,
    verify: ({ parameters }) => {
      const prompts = promptsOf(parameters);
      if (prompts === undefined) return refuse('invalid_request', 'prompt has a value that is not supported');
      return prompts.includes('none') && prompts.length > 1
        ? refuse('invalid_request', 'prompt=none cannot be combined with other values')
        : undefined;
    },
  },
  {
    // A malformed value is refused rather than ignored, since it restricts the request.
    name: 'max_age is seconds',
    source: 'OpenID Connect Core section 3.1.2.1',
    expected: 'whole seconds in `max_age`',
    explainedBy: ['max_age'],
    mayRedirect: true,
    verify: ({ parameters }) =>
      Number.isNaN(maxAgeOf(parameters))
        ? refuse('invalid_request', 'max_age must be a whole number of seconds')
        : undefined,
  },
  {
    // Checks the form only. The signature is verified later, and a hint whose key is no longer published is not an error.
    name: 'id_token_hint is a token',
    source: 'OpenID Connect Core section 3.1.2.1',
    expected: 'an ID token in `id_token_hint`',
    explainedBy: ['id_token_hint'],
    mayRedirect: true,
    verify: ({ parameters }) => {
      const hint = parameterOf(parameters, 'id_token_hint');
      return hint === undefined || isSignedToken(hint)
        ? undefined
        : refuse('invalid_request', 'id_token_hint is not an id_token');
    },
  },
  {
    name: 'constraints of scopes are supported',
    source: 'SMART App Launch 2.2, "Finer-grained resource constraints using search parameters"',
    expected: 'scopes with supported constraints',
    explainedBy: ['scope'],
    mayRedirect: true,
    verify: ({ parameters }) => {
      const type = (parameterOf(parameters, 'scope') ?? '')
        .split(' ')
        .map(typeOfUnknownConstraint)
        .find((each) => each !== undefined);
      return type === undefined ? undefined : refuse('invalid_scope', unsupportedConstraint(type));
    },
  },
  {
    name: 'scope is grantable',
    source: 'RFC 6749 section 3.3',
    expected: ({ client }) =>
      `at least one scope of the application’s interfaces: ${client?.products.join(', ')}`,
    explainedBy: ['scope'],
    mayRedirect: true,
    verify: ({ parameters, client }) =>
      grantableScope(parameterOf(parameters, 'scope'), client.products) === undefined
        ? refuse('invalid_scope', 'the application cannot be granted any of the requested scopes')
        : undefined,
  },
];

/** Error text for an unsupported scope constraint. The supported ones are listed in the metadata, with their code systems. */
function unsupportedConstraint(type: string): string {
  const codes = scopeCategories(type).map((category) => category.slice(category.lastIndexOf('|') + 1));
  return codes.length === 0
    ? `scopes of ${type} take no constraint`
    : `a scope of ${type} takes the constraint category only, as system|code of ${codes.join(', ')}, with the permission r, s or rs`;
}

/**
 * Maximum characters of `state` and `nonce`, which are sent back to the application: API Gateway allows 10,240 bytes of headers, and a
 * character outside ASCII becomes up to twelve.
 */
const longest = 2_000;
const longestEncoded = 3 * longest;

/** Whether a `state` or `nonce` is short enough to be sent back unchanged. */
export function fitsRedirect(value: string | undefined): boolean {
  if (value === undefined) return true;
  return (
    value.length <= longest && new URLSearchParams([['', value]]).toString().length - 1 <= longestEncoded
  );
}

/** An S256 code challenge: the base64url of a SHA-256, 43 characters (RFC 7636 section 4.2). */
const s256Challenge = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text is the FHIR base, with or without a trailing slash. */
function isAudience(sent: string, audience: string): boolean {
  return sent === audience || sent === `${audience}/`;
}

function refuse(error: AuthorizationErrorCode, description: string): AuthorizationError {
  return { error, description };
}
