/**
 * Reasons to refuse a call: the `reason` in an authorizer's log and in API Gateway's access log, and in the log of a token endpoint. The
 * caller gets the same response for many of them; the portal shows the developer what was expected and what was received.
 */

import type { CallRefusal } from './call-refusal.ts';
import { tokenEndpointRefusals } from './oauth/token-refusals.ts';

const signInAgain =
  'Use the refresh token if the application has one, or send the member through authorization again.';
const takeAsGiven = 'Send the access token exactly as the token endpoint returned it.';
const ownToken =
  'Request a token from the authorization server of the line of business and environment of the call.';
const presentKey = 'Find the subscription key of this environment under View Credentials.';

export const tokenRefusals = {
  token_malformed: {
    expected: 'an access token after Bearer',
    received: 'something else',
    fix: takeAsGiven,
  },
  token_algorithm: { expected: 'a token signed with RS256', received: 'another algorithm', fix: takeAsGiven },
  token_type: {
    expected: 'an access token',
    received: 'another kind of token, such as an id_token',
    fix: 'Send access_token of the token response, not id_token.',
  },
  token_issuer: {
    expected: 'a token of this environment',
    received: 'a token of another issuer',
    fix: ownToken,
  },
  token_key_unknown: {
    expected: 'a token signed with a published key',
    received: 'a token signed with a key that is not or no longer published',
    fix: signInAgain,
  },
  token_signature: {
    expected: 'a token with a valid signature',
    received: 'a token with an invalid signature',
    fix: takeAsGiven,
  },
  token_claims: {
    expected: 'a token with all required claims',
    received: 'a token with missing claims',
    fix: takeAsGiven,
  },
  token_audience: {
    expected: 'a token for this interface',
    received: 'a token for another interface',
    fix: ownToken,
  },
  token_environment: {
    expected: 'a token of this environment',
    received: 'a token of the other environment',
    fix: ownToken,
  },
  token_lob: {
    expected: 'a token of this line of business',
    received: 'a token of another line of business',
    fix: ownToken,
  },
  token_expired: { expected: 'a token that has not expired', received: 'an expired token', fix: signInAgain },
  token_not_yet_valid: {
    expected: 'a token issued before now',
    received: 'a token issued in the future',
    fix: takeAsGiven,
  },
} as const satisfies Readonly<Record<string, CallRefusal>>;

export const keyRefusals = {
  key_unknown: {
    expected: 'a subscription key of this environment',
    received: 'an unknown key',
    fix: presentKey,
  },
  key_suspended: {
    expected: 'the key of an active application',
    received: 'the key of an application that is suspended or not yet approved',
    fix: 'See the application’s page for its state and the next step.',
  },
  key_revoked: {
    expected: 'the key of an active application',
    received: 'the key of a revoked application',
    fix: 'Register another application.',
  },
  key_expired: {
    expected: 'an active subscription key',
    received: 'a key that was replaced by a rotation',
    fix: presentKey,
  },
} as const satisfies Readonly<Record<string, CallRefusal>>;

export const pairRefusals = {
  key_of_another_client: {
    expected: 'a token and a subscription key of the same application',
    received: 'a token and a key of two applications',
    fix: 'Send the subscription key of the application whose client ID requested the token.',
  },
} as const satisfies Readonly<Record<string, CallRefusal>>;

export type TokenRefusalReason = keyof typeof tokenRefusals;
export type KeyRefusalReason = keyof typeof keyRefusals;

export const callRefusals: Readonly<Record<string, CallRefusal>> = {
  ...tokenRefusals,
  ...keyRefusals,
  ...pairRefusals,
  ...tokenEndpointRefusals,
};
