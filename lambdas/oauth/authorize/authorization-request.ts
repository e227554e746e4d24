import type { UnredirectableReason } from '../../catalog/oauth-errors.ts';
import type { OAuthClient } from '../client.ts';
import { parameterOf } from '../parameters.ts';
import { grantableScope } from '../scope-grant.ts';
import { type AuthenticationParameters, authenticationWish } from './authentication-parameters.ts';
import type { AuthorizationError } from './authorization-error.ts';
import type { Asked, PageCheck, RedirectCheck } from './checks/asked.ts';
import { audienceIsOurs, resourceIsOurs } from './checks/audience.ts';
import { clientActive, clientIdPresent, clientKnown } from './checks/client.ts';
import { hintIsToken } from './checks/id-token-hint.ts';
import { maxAgeIsSeconds } from './checks/max-age.ts';
import { codeChallengeIsS256 } from './checks/pkce.ts';
import { promptsKnown } from './checks/prompt.ts';
import { redirectUriPresent, redirectUriRegistered } from './checks/redirect-uri.ts';
import { codeGrantRegistered, lineOfBusinessRegistered } from './checks/registration.ts';
import { nothingRepeated } from './checks/repetition.ts';
import { noRequestObject } from './checks/request-object.ts';
import { responseModeIsQuery, responseTypeIsCode } from './checks/response.ts';
import { scopeGrantable } from './checks/scope.ts';
import { opaqueValueFits, opaqueValuesFit, stateWithoutPkce } from './checks/state.ts';

/** An authorization request that may be put before a member. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string | undefined;
  /** What can be granted, space-separated. */
  readonly scope: string;
  /** PKCE, S256; absent only for a client exempt from it. */
  readonly codeChallenge?: string | undefined;
  readonly nonce?: string | undefined;
  /** The member `id_token_hint` names: nobody else's sign-in answers the request. */
  readonly expectedSub?: string | undefined;
}

/** Until these hold there is no address to answer to: a failure is a page. */
export const pageChecks: readonly PageCheck[] = [
  clientIdPresent,
  clientKnown,
  clientActive,
  redirectUriPresent,
  redirectUriRegistered,
];

/** From here on the application hears of a failure. The order is the specification: the first that fails is the answer. */
export const redirectChecks: readonly RedirectCheck[] = [
  nothingRepeated,
  noRequestObject,
  responseTypeIsCode,
  responseModeIsQuery,
  opaqueValuesFit,
  lineOfBusinessRegistered,
  codeGrantRegistered,
  stateWithoutPkce,
  codeChallengeIsS256,
  audienceIsOurs,
  resourceIsOurs,
  promptsKnown,
  maxAgeIsSeconds,
  hintIsToken,
  scopeGrantable,
];

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
  readonly wish: AuthenticationParameters;
}

export function verifyAuthorizationRequest(asked: Asked): AuthorizationVerdict {
  for (const check of pageChecks) {
    const reason = check(asked);
    if (reason !== undefined) return { kind: 'page', reason };
  }
  const { client, parameters } = asked;
  const redirectUri = parameterOf(parameters, 'redirect_uri');
  if (client === undefined || redirectUri === undefined) throw new Error('the page checks let a request by');
  const sent = parameterOf(parameters, 'state');
  // One that is too long for a redirect is too long for the redirect that says so.
  const state = opaqueValueFits(sent) ? sent : undefined;
  for (const check of redirectChecks) {
    const error = check({ ...asked, client });
    if (error !== undefined) return { kind: 'redirect', redirectUri, state, error };
  }
  const scope = grantableScope(parameterOf(parameters, 'scope'), client.products);
  if (scope === undefined) throw new Error('the scope check let a request by');
  const codeChallenge = parameterOf(parameters, 'code_challenge');
  const nonce = parameterOf(parameters, 'nonce');
  const request = { clientId: client.clientId, redirectUri, state, scope, codeChallenge, nonce };
  return { kind: 'accepted', client, request, wish: authenticationWish(parameters) };
}
