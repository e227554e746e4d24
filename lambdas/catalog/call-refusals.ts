/**
 * Why an authorizer refuses a call: the `reason` of its log line and of the gateway's access log. To the caller all of a kind
 * are the same 401 or 403; the application's developer is told here what was expected and what came.
 */
interface CallRefusal {
  readonly expected: string;
  readonly received: string;
  readonly fix: string;
}

const signInAgain = 'Use the refresh token where the application has one, or let the member sign in again.';
const takeAsGiven = 'Send the access token exactly as the token endpoint gave it.';
const ownToken =
  'Ask for a token at the authorization server of the line of business and environment that is called.';
const presentKey = 'Look the subscription key of this environment up under View Credentials.';

export const tokenRefusals = {
  token_malformed: {
    expected: 'an access token behind Bearer',
    received: 'something else',
    fix: takeAsGiven,
  },
  token_algorithm: { expected: 'a token signed with RS256', received: 'another algorithm', fix: takeAsGiven },
  token_type: {
    expected: 'an access token',
    received: 'another kind of token, such as an id_token',
    fix: 'Send access_token of the token answer, not id_token.',
  },
  token_issuer: { expected: 'a token of this environment', received: 'one of another issuer', fix: ownToken },
  token_key_unknown: {
    expected: 'a token signed with a key we publish',
    received: 'one signed with a key that is not, or no longer, published',
    fix: signInAgain,
  },
  token_signature: {
    expected: 'an unaltered token',
    received: 'one whose signature does not fit',
    fix: takeAsGiven,
  },
  token_claims: {
    expected: 'a token with all its claims',
    received: 'one that lacks some',
    fix: takeAsGiven,
  },
  token_audience: { expected: 'a token for this interface', received: 'one for another', fix: ownToken },
  token_environment: { expected: 'a token of this environment', received: 'one of the other', fix: ownToken },
  token_lob: { expected: 'a token of this line of business', received: 'one of another', fix: ownToken },
  token_expired: { expected: 'a token within its time', received: 'an expired one', fix: signInAgain },
  token_not_yet_valid: {
    expected: 'a token issued before now',
    received: 'one from the future',
    fix: takeAsGiven,
  },
} as const satisfies Readonly<Record<string, CallRefusal>>;

export const keyRefusals = {
  key_unknown: {
    expected: 'a subscription key of this environment',
    received: 'one we do not know',
    fix: presentKey,
  },
  key_suspended: {
    expected: 'the key of an application that may act',
    received: 'the key of one that is suspended, or not yet approved',
    fix: 'See the application’s page: it says what is awaited.',
  },
  key_revoked: {
    expected: 'the key of an application that may act',
    received: 'the key of one that has ended',
    fix: 'Register another application.',
  },
  key_expired: {
    expected: 'a live subscription key',
    received: 'one that was rotated away',
    fix: presentKey,
  },
} as const satisfies Readonly<Record<string, CallRefusal>>;

export const pairRefusals = {
  key_of_another_client: {
    expected: 'a token and a subscription key of the same application',
    received: 'the token of one and the key of another',
    fix: 'Send the subscription key that stands beside the client id the token was asked for with.',
  },
} as const satisfies Readonly<Record<string, CallRefusal>>;

export type TokenRefusalReason = keyof typeof tokenRefusals;
export type KeyRefusalReason = keyof typeof keyRefusals;

export const callRefusals: Readonly<Record<string, CallRefusal>> = {
  ...tokenRefusals,
  ...keyRefusals,
  ...pairRefusals,
};
