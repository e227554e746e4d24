import { describe, expect, it } from 'vitest';
import { verifyAuthorizationRequest } from '../../../lambdas/authorization/authorize/authorization-request.ts';
import { requestChecks } from '../../../lambdas/authorization/authorize/request-checks.ts';
import type { OAuthClient } from '../../../lambdas/authorization/oauth/oauth-client.ts';
import { aClient, rfc7636, sentence, theRedirectUri } from '../builders.ts';
import { type Changes, parametersOf } from '../refreshing.ts';

/** The errors of the authorization endpoint: the error code, and a description for the developer. */

const audience = 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1';

describe('a refused authorization request', () => {
  function refusalOf(changes: Changes, clientChanges: Partial<OAuthClient>) {
    const client = aClient(clientChanges);
    const parameters = parametersOf({
      client_id: client.clientId,
      response_type: 'code',
      redirect_uri: theRedirectUri,
      state: 'state-1',
      aud: audience,
      code_challenge: rfc7636.challenge,
      code_challenge_method: 'S256',
      ...changes,
    });
    const verdict = verifyAuthorizationRequest({ parameters, lob: 'DSNP', audience, client });
    return verdict.kind === 'redirect' ? verdict.error : undefined;
  }
  const noChallenge = { code_challenge: undefined, code_challenge_method: undefined };
  const exempt = { pkceRequired: false };

  it.each<[Changes, Partial<OAuthClient>, string, RegExp]>([
    ...[
      'response_type',
      'response_mode',
      'scope',
      'state',
      'aud',
      'nonce',
      'prompt',
      'max_age',
      'id_token_hint',
      'code_challenge',
      'code_challenge_method',
      'request',
      'request_uri',
      'ui_locales',
      'login_hint',
      'display',
      'acr_values',
      'unknown_here',
    ].map((name): [Changes, Partial<OAuthClient>, string, RegExp] => [
      { [name]: ['a', 'b'] },
      exempt,
      'invalid_request',
      new RegExp(`^${name} was sent more than once$`),
    ]),
    [{ 'a"b': ['a', 'b'] }, {}, 'invalid_request', /^a parameter was sent more than once$/],
    [{ request: 'x' }, {}, 'request_not_supported', /request objects/],
    [{ request_uri: 'x' }, {}, 'request_uri_not_supported', /request objects/],
    [{ response_type: undefined }, {}, 'invalid_request', /^response_type is missing/],
    [{ response_type: 'token' }, {}, 'unsupported_response_type', /must be code/],
    [{ response_mode: 'fragment' }, {}, 'invalid_request', /must be query/],
    [{ state: 's'.repeat(2_001) }, {}, 'invalid_request', /^state is longer than 2000 characters/],
    [{ nonce: 'n'.repeat(2_001) }, {}, 'invalid_request', /^nonce is longer than 2000 characters/],
    [{}, { linesOfBusiness: ['MAPD'] }, 'unauthorized_client', /not registered for DSNP/],
    [{}, { grantTypes: ['client_credentials'] }, 'unauthorized_client', /authorization_code/],
    [{ ...noChallenge, state: undefined }, exempt, 'invalid_request', /^state is required/],
    [noChallenge, {}, 'invalid_request', /^code_challenge is missing/],
    [{ code_challenge: undefined }, exempt, 'invalid_request', /^code_challenge is missing/],
    [{ code_challenge_method: undefined }, exempt, 'invalid_request', /^code_challenge_method must be S256/],
    [{ code_challenge_method: 'plain' }, {}, 'invalid_request', /^code_challenge_method must be S256/],
    [{ code_challenge: 'short' }, {}, 'invalid_request', /^code_challenge must be the base64url/],
    [{ aud: undefined }, {}, 'invalid_request', /^aud is missing; it must be https:.*v1$/],
    [{ aud: 'https://other.example' }, {}, 'invalid_request', /^aud must be https:.*v1$/],
    [{ resource: 'https://other.example' }, {}, 'invalid_target', /^resource must be https:.*v1$/],
    [{ prompt: 'none login' }, {}, 'invalid_request', /^prompt=none/],
    [{ prompt: 'create' }, {}, 'invalid_request', /^prompt has a value/],
    [{ max_age: '-1' }, {}, 'invalid_request', /^max_age must be/],
    [{ id_token_hint: 'x' }, {}, 'invalid_request', /^id_token_hint is not/],
    [{ scope: 'launch/unknown' }, {}, 'invalid_scope', /scope/],
  ])('%j of %j says what is wrong', (changes, client, error, description) => {
    const refusal = refusalOf(changes, client);
    expect(refusal?.error).toBe(error);
    expect(refusal?.description).toMatch(description);
    expect(refusal?.description).toMatch(sentence);
  });

  it('is one for the first thing wrong, in the order of the checks', () => {
    expect(refusalOf({ response_type: 'token', aud: undefined }, {})?.error).toBe(
      'unsupported_response_type',
    );
  });

  it('is none where a state is as long as it may be, in characters and encoded', () => {
    expect(refusalOf({ state: 's'.repeat(2_000) }, {})).toBeUndefined();
    expect(refusalOf({ state: '/'.repeat(2_000) }, {})).toBeUndefined();
    expect(refusalOf({ state: `é${'/'.repeat(1_998)}` }, {})).toBeUndefined();
    expect(refusalOf({ state: `é${'/'.repeat(1_999)}` }, {})?.error).toBe('invalid_request');
  });
});

describe('the table of checks', () => {
  it('lets no error redirect before the redirect URI is known to be the client’s', () => {
    const owned = requestChecks.findIndex(({ name }) => name === 'redirect_uri is registered for the client');
    expect(requestChecks.map(({ mayRedirect }) => mayRedirect)).toEqual(
      requestChecks.map((_, index) => index > owned),
    );
  });

  it('names each check once, with its source', () => {
    expect(new Set(requestChecks.map(({ name }) => name)).size).toBe(requestChecks.length);
    for (const { source } of requestChecks) expect(source).toMatch(/section|2\.2|quotas/);
  });
});
