import { describe, expect, it } from 'vitest';
import { verifyAuthorizationRequest } from '../../../lambdas/authorization/authorize/authorization-request.ts';
import type { OAuthClient } from '../../../lambdas/authorization/oauth/oauth-client.ts';
import { aClient, readingAll, rfc7636, theRedirectUri } from '../builders.ts';

const audience = 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1';

type Changes = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Verifies a valid request with changes: undefined removes a parameter, a list repeats it. */
function verify(changes: Changes = {}, clientChanges: Partial<OAuthClient> = {}) {
  const client = aClient(clientChanges);
  const sent: Changes = {
    client_id: client.clientId,
    response_type: 'code',
    redirect_uri: theRedirectUri,
    scope: 'openid',
    state: 'state-1',
    aud: audience,
    code_challenge: rfc7636.challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const parameters = new Map(
    Object.entries(sent).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? [value] : value] as const],
    ),
  );
  const known = sent.client_id === client.clientId ? client : undefined;
  return verifyAuthorizationRequest({ parameters, lob: 'DSNP', audience, client: known });
}

/** `accepted`, `page` with its reason, or the error of the redirect. */
function outcome(changes: Changes, clientChanges?: Partial<OAuthClient>): string {
  const verdict = verify(changes, clientChanges);
  if (verdict.kind === 'page') return `page ${verdict.reason}`;
  return verdict.kind === 'redirect' ? verdict.error.error : 'accepted';
}

describe('an authorization request', () => {
  it('is accepted as the description has it, with the default scope in place of bare openid', () => {
    expect(verify()).toMatchObject({
      kind: 'accepted',
      request: { scope: `openid ${readingAll}`, state: 'state-1', redirectUri: theRedirectUri },
    });
  });

  it.each<[string, Changes, Partial<OAuthClient>, string]>([
    ['no client_id', { client_id: undefined }, {}, 'page client_id_missing'],
    ['an empty client_id', { client_id: '' }, {}, 'page client_id_missing'],
    ['two client_ids', { client_id: ['a', 'b'] }, {}, 'page client_id_missing'],
    ['an unknown client', { client_id: 'nobody-here' }, {}, 'page client_unknown'],
    ['a suspended client', {}, { state: 'suspended' }, 'page client_inactive'],
    ['a revoked client', {}, { state: 'revoked' }, 'page client_inactive'],
    ['no redirect_uri', { redirect_uri: undefined }, {}, 'page redirect_uri_missing'],
    [
      'two redirect_uris',
      { redirect_uri: [theRedirectUri, theRedirectUri] },
      {},
      'page redirect_uri_missing',
    ],
    ['a client without redirect URIs', {}, { redirectUris: [] }, 'page redirect_uri_unregistered'],
  ])('with %s gets a page and no redirect', (_what, changes, client, expected) => {
    expect(outcome(changes, client)).toBe(expected);
  });

  it.each([
    ['another path', 'https://app.example.com/callback2'],
    ['a longer path', `${theRedirectUri}/more`],
    ['a shorter path', 'https://app.example.com/'],
    ['a trailing slash', `${theRedirectUri}/`],
    ['a query', `${theRedirectUri}?x=1`],
    ['an empty query', `${theRedirectUri}?`],
    ['a fragment', `${theRedirectUri}#x`],
    ['an empty fragment', `${theRedirectUri}#`],
    ['the default port', 'https://app.example.com:443/callback'],
    ['another port', 'https://app.example.com:8443/callback'],
    ['an uppercase host', 'https://APP.example.com/callback'],
    ['an uppercase scheme', 'HTTPS://app.example.com/callback'],
    ['an uppercase path', 'https://app.example.com/Callback'],
    ['userinfo', 'https://app.example.com@evil.example/callback'],
    ['userinfo before the host', 'https://evil@app.example.com/callback'],
    ['a longer host', 'https://app.example.com.evil.example/callback'],
    ['a subdomain', 'https://x.app.example.com/callback'],
    ['a host with a prefix', 'https://evil-app.example.com/callback'],
    ['dot segments', 'https://app.example.com/x/../callback'],
    ['encoded dots', 'https://app.example.com/%2e/callback'],
    ['an encoded letter', 'https://app.example.com/%63allback'],
    ['a backslash', 'https://app.example.com\\callback'],
    ['a backslash before a host', 'https://evil.example\\@app.example.com/callback'],
    ['a doubled slash', 'https://app.example.com//callback'],
    ['plain http', 'http://app.example.com/callback'],
    ['no scheme', '//app.example.com/callback'],
    ['a script', 'javascript:alert(1)'],
    ['a space before', ` ${theRedirectUri}`],
    ['a space after', `${theRedirectUri} `],
    ['a line break', `${theRedirectUri}\r\nSet-Cookie: a=b`],
    ['a tab', 'https://app.example.com/call\tback'],
    ['a look-alike letter', 'https://аpp.example.com/callback'],
    ['its punycode', 'https://xn--pp-7kc.example.com/callback'],
    ['a trailing dot', 'https://app.example.com./callback'],
    ['a null byte', `${theRedirectUri}\0`],
  ])('with %s in the redirect URI gets a page', (_what, redirect_uri) => {
    expect(outcome({ redirect_uri })).toBe('page redirect_uri_unregistered');
  });

  it.each([
    `${theRedirectUri}#x`,
    `${theRedirectUri}\r\nX: y`,
    'https://app.example.com/ö',
  ])('gets no redirect to %j even where it is registered so', (redirect_uri) => {
    expect(outcome({ redirect_uri }, { redirectUris: [redirect_uri] })).toBe(
      'page redirect_uri_unregistered',
    );
  });

  it.each([
    'http://localhost:3000/cb',
    'com.example.app:/cb',
    'https://app.example.com/cb?tenant=1',
  ])('may go to %s where that is registered', (redirect_uri) => {
    expect(outcome({ redirect_uri }, { redirectUris: [redirect_uri] })).toBe('accepted');
  });
});

describe('an authorization request the application hears of', () => {
  it.each<[string, Changes, Partial<OAuthClient>, string]>([
    ['no response_type', { response_type: undefined }, {}, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, {}, 'unsupported_response_type'],
    ['response_type code id_token', { response_type: 'code id_token' }, {}, 'unsupported_response_type'],
    ['response_type CODE', { response_type: 'CODE' }, {}, 'unsupported_response_type'],
    ['response_mode fragment', { response_mode: 'fragment' }, {}, 'invalid_request'],
    ['response_mode form_post', { response_mode: 'form_post' }, {}, 'invalid_request'],
    ['a request object', { request: 'eyJ' }, {}, 'request_not_supported'],
    ['a request_uri', { request_uri: 'https://evil.example/r' }, {}, 'request_uri_not_supported'],
    ['another LOB', {}, { linesOfBusiness: ['MAPD'] }, 'unauthorized_client'],
    ['another grant type', {}, { grantTypes: ['client_credentials'] }, 'unauthorized_client'],
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, {}, 'invalid_request'],
    ['a method without challenge', { code_challenge: undefined }, {}, 'invalid_request'],
    ['a challenge without method', { code_challenge_method: undefined }, {}, 'invalid_request'],
    ['method plain', { code_challenge_method: 'plain' }, {}, 'invalid_request'],
    ['method s256', { code_challenge_method: 's256' }, {}, 'invalid_request'],
    ['a short challenge', { code_challenge: rfc7636.challenge.slice(1) }, {}, 'invalid_request'],
    ['a long challenge', { code_challenge: `${rfc7636.challenge}A` }, {}, 'invalid_request'],
    ['a padded challenge', { code_challenge: `${rfc7636.challenge}=` }, {}, 'invalid_request'],
    ['a base64 challenge', { code_challenge: rfc7636.challenge.replace('-', '+') }, {}, 'invalid_request'],
    ['no aud', { aud: undefined }, {}, 'invalid_request'],
    ['an empty aud', { aud: '' }, {}, 'invalid_request'],
    ['the aud of another LOB', { aud: audience.replace('dsnp', 'mapd') }, {}, 'invalid_request'],
    ['the aud of another interface', { aud: audience.replace('patient', 'payer') }, {}, 'invalid_request'],
    ['an aud with two slashes', { aud: `${audience}//` }, {}, 'invalid_request'],
    ['an aud with more behind', { aud: `${audience}/Patient` }, {}, 'invalid_request'],
    ['another resource', { resource: 'https://evil.example' }, {}, 'invalid_target'],
    ['one good and one bad resource', { resource: [audience, 'https://e.example'] }, {}, 'invalid_target'],
    ...['none login', 'none consent', 'select_account none', 'none  login', 'none create'].map(
      (prompt): [string, Changes, Partial<OAuthClient>, string] => [
        `prompt ${prompt}`,
        { prompt },
        {},
        'invalid_request',
      ],
    ),
    ...['create', 'LOGIN', 'login,consent', 'login\tconsent', 'toString'].map(
      (prompt): [string, Changes, Partial<OAuthClient>, string] => [
        `prompt ${prompt}`,
        { prompt },
        {},
        'invalid_request',
      ],
    ),
    ...['-1', '-0', '+1', '1.5', '1e3', '0x10', ' 1', '1 ', 'NaN', 'Infinity', '١', '9'.repeat(16)].map(
      (max_age): [string, Changes, Partial<OAuthClient>, string] => [
        `max_age ${max_age}`,
        { max_age },
        {},
        'invalid_request',
      ],
    ),
    ...[
      'x',
      'a.b',
      'a.b.',
      '.b.c',
      'a.b.c.d',
      'a.b.c.d.e',
      'a.b.c=',
      'a.b+.c',
      ' a.b.c',
      `a.b.${'c'.repeat(4_093)}`,
    ].map((id_token_hint): [string, Changes, Partial<OAuthClient>, string] => [
      `id_token_hint ${id_token_hint.slice(0, 20)}`,
      { id_token_hint },
      {},
      'invalid_request',
    ]),
    ['only unknown scopes', { scope: 'everything' }, {}, 'invalid_scope'],
    ['only another context', { scope: 'openid system/Patient.read' }, {}, 'invalid_scope'],
    ['no product that serves data', {}, { products: ['provider-directory'] }, 'invalid_scope'],
    ['a very long state', { state: 's'.repeat(2_001) }, {}, 'invalid_request'],
    ['a very long nonce', { nonce: 'n'.repeat(2_001) }, {}, 'invalid_request'],
  ])('with %s is refused', (_what, changes, client, expected) => {
    expect(outcome(changes, client)).toBe(expected);
  });

  it.each([
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
  ])('with %s twice is refused', (name) => {
    expect(outcome({ [name]: ['a', 'a'] })).toBe('invalid_request');
  });

  it('keeps the state out of the answer where it came twice', () => {
    expect(verify({ state: ['a', 'b'] })).toMatchObject({ kind: 'redirect', state: undefined });
  });

  it('takes its state back with the refusal', () => {
    expect(verify({ response_type: 'token' })).toMatchObject({
      state: 'state-1',
      redirectUri: theRedirectUri,
    });
  });

  it.each<[string, Changes]>([
    ['a trailing slash of aud', { aud: `${audience}/` }],
    ['the resource of RFC 8707', { resource: [audience, `${audience}/`] }],
    ['a resource without a value', { resource: ['', audience] }],
    ['response_mode query', { response_mode: 'query' }],
    ['prompts that go together', { prompt: 'login consent select_account' }],
    ['prompt none', { prompt: 'none' }],
    ['any age', { max_age: '9'.repeat(15) }],
    ['no age at all', { max_age: '0' }],
    ['a hint in the form of an id_token', { id_token_hint: `a.b.${'c'.repeat(4_092)}` }],
    ['an empty parameter', { response_mode: '' }],
    ['parameters nobody knows', { launch_token: 'a', acr_values: '10', ui_locales: 'es' }],
    ['a request object without a value', { request: '', request_uri: '' }],
  ])('is accepted with %s', (_what, changes) => {
    expect(outcome(changes)).toBe('accepted');
  });

  it('describes every refusal in characters a redirect may carry', () => {
    for (const changes of [{ scope: 'x' }, { aud: '"\\' }, { response_type: '' }, { prompt: 'none login' }]) {
      const verdict = verify(changes);
      expect(verdict.kind === 'redirect' && verdict.error.description).toMatch(
        /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/,
      );
    }
  });
});

describe('PKCE', () => {
  const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };
  it('may be left out by a confidential application exempt from it, with a state', () => {
    expect(outcome(withoutPkce, { pkceRequired: false })).toBe('accepted');
    expect(outcome({ ...withoutPkce, state: undefined }, { pkceRequired: false })).toBe('invalid_request');
  });

  it('may never be left out by a public application', () => {
    const publicClient = { pkceRequired: false, tokenEndpointAuthMethod: 'none', secrets: [] } as const;
    expect(outcome(withoutPkce, publicClient)).toBe('invalid_request');
    expect(outcome({}, publicClient)).toBe('accepted');
  });

  it('makes a state unnecessary', () => {
    expect(outcome({ state: undefined })).toBe('accepted');
    expect(outcome({ state: undefined }, { pkceRequired: false })).toBe('accepted');
  });
});
