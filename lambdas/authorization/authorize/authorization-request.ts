/** Result of checking an authorization request. */

import type { UnredirectableReason } from '../../catalog/oauth/oauth-errors.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { grantableScope } from '../oauth/scope-grant.ts';
import { type AuthenticationParameters, authenticationParameters } from './authentication-parameters.ts';
import type { AuthorizationError } from './authorization-error.ts';
import { fitsRedirect, requestChecks, type UnverifiedRequest } from './request-checks.ts';

/** An authorization request that may be put before a member. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string | undefined;
  /** Grantable scope, space-separated. */
  readonly scope: string;
  /** `scope` as it was sent. */
  readonly requestedScope?: string | undefined;
  /** PKCE, S256; absent only for a client exempt from it. */
  readonly codeChallenge?: string | undefined;
  readonly nonce?: string | undefined;
  /** The member `id_token_hint` names: nobody else's sign-in answers the request. */
  readonly expectedSub?: string | undefined;
  /** Application's requirements of the sign-in itself, where the LOB has an identity provider. */
  readonly authentication?: RequestedAuthentication | undefined;
}

/** Parameters of a sign-in that are passed on to the plan's identity provider. */
export type RequestedAuthentication = Pick<
  AuthenticationParameters,
  'prompts' | 'maxAge' | 'acrValues' | 'loginHint'
>;

/** The outcome of the checks: a page, a redirect with an error, or a request to put before the member. */
export type AuthorizationVerdict =
  | { readonly kind: 'page'; readonly reason: UnredirectableReason }
  | {
      readonly kind: 'redirect';
      readonly redirectUri: string;
      readonly state: string | undefined;
      readonly error: AuthorizationError;
    }
  | ({ readonly kind: 'accepted' } & Accepted);

export interface Accepted {
  readonly client: OAuthClient;
  readonly request: AuthorizationRequest;
  readonly authentication: AuthenticationParameters;
}

/** Verifies an authorization request by the checks of `requestChecks`, in their order. */
export function verifyAuthorizationRequest(unverified: UnverifiedRequest): AuthorizationVerdict {
  const { client, parameters } = unverified;
  const redirectUri = parameterOf(parameters, 'redirect_uri');
  const sent = parameterOf(parameters, 'state');
  // A request that is too long for a redirect gets a page: its `state` would be too long in the error's redirect too.
  const state = fitsRedirect(sent) ? sent : undefined;
  for (const check of requestChecks) {
    if (!check.mayRedirect) {
      const reason = check.verify(unverified);
      if (reason !== undefined) return { kind: 'page', reason };
      continue;
    }
    if (client === undefined || redirectUri === undefined)
      throw new Error('an error would redirect too early');
    const error = check.verify({ ...unverified, client });
    if (error !== undefined) return { kind: 'redirect', redirectUri, state, error };
  }
  const requestedScope = parameterOf(parameters, 'scope');
  const scope = grantableScope(requestedScope, client?.products ?? []);
  if (client === undefined || redirectUri === undefined || scope === undefined)
    throw new Error('the checks let a request by');
  const codeChallenge = parameterOf(parameters, 'code_challenge');
  const nonce = parameterOf(parameters, 'nonce');
  const asked = { scope, requestedScope, codeChallenge, nonce };
  const request = { clientId: client.clientId, redirectUri, state, ...asked };
  return { kind: 'accepted', client, request, authentication: authenticationParameters(parameters) };
}
