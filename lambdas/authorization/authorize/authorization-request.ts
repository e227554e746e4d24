/** Result of checking an authorization request. */

import type { UnredirectableReason } from '../../catalog/oauth/oauth-errors.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { grantableScope } from '../oauth/scope-grant.ts';
import { type AuthenticationParameters, authenticationParameters } from './authentication-parameters.ts';
import type { AuthorizationError } from './authorization-error.ts';
import { explainRefusal, type RefusalExplanation } from './refused-request.ts';
import { fitsRedirect, requestChecks, type UnverifiedRequest } from './request-checks.ts';

/** A verified authorization request, which a member may be asked to consent to. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string | undefined;
  /** The requested scope that can be granted, space-separated. */
  readonly scope: string;
  /** `scope` of the request, unchanged. */
  readonly requestedScope?: string | undefined;
  /** PKCE challenge, method S256; absent only if the client is exempt from PKCE. */
  readonly codeChallenge?: string | undefined;
  readonly nonce?: string | undefined;
  /** The subject that `id_token_hint` names. A sign-in by another member is refused. */
  readonly expectedSub?: string | undefined;
  /** The application's requirements of the sign-in, if the LOB has an identity provider. */
  readonly authentication?: RequestedAuthentication | undefined;
}

/** Parameters of a sign-in that are passed on to the plan's identity provider. */
export type RequestedAuthentication = Pick<
  AuthenticationParameters,
  'prompts' | 'maxAge' | 'acrValues' | 'loginHint'
>;

/** Outcome of the checks: an error page, a redirect with an error, or a verified request. */
export type AuthorizationVerdict =
  | { readonly kind: 'page'; readonly reason: UnredirectableReason; readonly explanation: RefusalExplanation }
  | {
      readonly kind: 'redirect';
      readonly redirectUri: string;
      readonly state: string | undefined;
      readonly error: AuthorizationError;
      readonly explanation: RefusalExplanation;
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
  // A `state` that is too long for a redirect is left out of the error's redirect too.
  const state = fitsRedirect(sent) ? sent : undefined;
  for (const check of requestChecks) {
    if (!check.mayRedirect) {
      const reason = check.verify(unverified);
      if (reason !== undefined)
        return { kind: 'page', reason, explanation: explainRefusal(check, unverified) };
      continue;
    }
    if (client === undefined || redirectUri === undefined)
      throw new Error('an error would redirect too early');
    const error = check.verify({ ...unverified, client });
    if (error !== undefined) {
      const explanation = explainRefusal(check, unverified, error.description);
      return { kind: 'redirect', redirectUri, state, error, explanation };
    }
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
