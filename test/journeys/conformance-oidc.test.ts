import { setTimeout as sleep } from 'node:timers/promises';
import { decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createBrowser } from '../../ops/demo/browser.ts';
import { readPage } from '../../ops/http/html-page.ts';
import {
  type App,
  addressOf,
  ask,
  type Changes,
  complete,
  completeAndKeep,
  errorOf,
  exchange,
  firstAnswer,
  idTokenClaims,
  issuer,
  jsonOf,
  keepBox,
  member,
  newApp,
  post,
  provider,
  readPatient,
  refresh,
  sentBack,
  type Tokens,
  ticked,
  tokensOf,
} from './conformance.ts';
import { answerPages, decide, http, localFetch, redirectUri } from './journey.ts';

/**
 * The OpenID Foundation's Basic OP plan, described in our own words, against the running system. docs/conformance.md names the test for
 * each module of the plan. Every request has `aud`, which SMART App Launch requires.
 */

let app: App;
let other: App;
let used: Awaited<ReturnType<typeof complete>>;

beforeAll(async () => {
  [app, other] = await Promise.all([newApp(), newApp()]);
  used = await complete(app);
});

describe('the code flow', () => {
  it('gives a code nobody guesses and an id_token whose claims hold', async () => {
    const { asked, callback, code, answer, tokens, claims } = await complete(app);
    expect(code).toMatch(/^[A-Za-z0-9_-]{43,}$/);
    expect(callback.searchParams.get('state')).toBe(asked.parameters.get('state'));
    expect(callback.searchParams.get('iss')).toBe(issuer());
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 1_800 });
    expect(claims.nonce).toBe(asked.parameters.get('nonce'));
    expect(claims).not.toHaveProperty('name');
    expect(claims.sub).toMatch(/^[\x21-\x7e]{1,255}$/);
  });

  it('authenticates a client by client_secret_post', async () => {
    const poster = await newApp({ tokenEndpointAuthMethod: 'client_secret_post' });
    const { tokens } = await complete(poster, {}, 'client_secret_post');
    expect(tokens.token_type).toBe('Bearer');
  });

  it('signs the id_token by RS256 with a key the JWK Set names once', async () => {
    const { alg, kid } = decodeProtectedHeader(used.tokens.id_token);
    const { jwks_uri } = await provider();
    const { keys } = await jsonOf<{ keys: { kid: string; d?: string }[] }>(await localFetch(jwks_uri));
    expect(alg).toBe('RS256');
    expect(keys.filter((key) => key.kid === kid)).toHaveLength(1);
    expect(new Set(keys.map((key) => key.kid)).size).toBe(keys.length);
    expect(keys.every((key) => key.d === undefined)).toBe(true);
  });

  it('gives an id_token without nonce to who sent none', async () => {
    const { claims } = await complete(app, { nonce: undefined });
    expect(claims).not.toHaveProperty('nonce');
  });

  it('depends on no order of scopes or parameters', async () => {
    const asked = ask(app, { scope: 'patient/Patient.rs launch/patient fhirUser openid' });
    const reversed = new URLSearchParams([...asked.parameters].reverse());
    const callback = await decide(await addressOf({ ...asked, parameters: reversed }), member);
    const answer = await exchange(app, callback.searchParams.get('code') ?? '', asked);
    expect(answer.status).toBe(200);
  });

  it('takes the authorization request by POST', async () => {
    const { authorization_endpoint } = await provider();
    const asked = ask(app);
    const fields = [...asked.parameters].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    const page = readPage(
      `<form method="post" action="${authorization_endpoint}">${fields.join('')}<button>Go</button></form>`,
    );
    const browser = createBrowser(http, redirectUri);
    const here = { kind: 'page', url: authorization_endpoint, page, response: emptyResponse } as const;
    const callback = await answerPages(browser, await browser.submit(here, {}, 'Go'), member);
    const answer = await exchange(app, callback.searchParams.get('code') ?? '', asked);
    expect(answer.status).toBe(200);
  });
});

const emptyResponse = { status: 200, headers: {}, body: '' };

describe('an authorization request', () => {
  it.each([
    ['display=page', { display: 'page' }],
    ['display=popup', { display: 'popup' }],
    ['a parameter of no specification', { extra: 'foobar' }],
    ['login_hint', { login_hint: 'buffy@example.org' }],
    ['ui_locales', { ui_locales: 'se' }],
    ['claims_locales', { claims_locales: 'se' }],
    ['acr_values', { acr_values: '1 2' }],
    ['an essential claim', { claims: '{"userinfo":{"name":{"essential":true}}}' }],
  ])('succeeds with %s', async (_what, changes: Changes) => {
    const { claims } = await complete(app, changes);
    expect(claims.sub).toBe(used.claims.sub);
  });

  it.each([
    'profile',
    'email',
    'address',
    'phone',
    'profile email address phone',
  ])('with the scope %s succeeds, and leaves out what is not served', async (scope) => {
    const { tokens } = await complete(app, { scope: `openid ${scope} patient/Patient.rs` });
    expect(tokens.scope.split(' ').sort()).toEqual(['openid', 'patient/Patient.rs']);
  });

  it('without response_type is refused, and the application hears of it', async () => {
    const asked = ask(app, { response_type: undefined });
    const back = sentBack(await firstAnswer(asked));
    expect(back.error).toBe('invalid_request');
    expect(back.state).toBe(asked.parameters.get('state'));
    expect(back).not.toHaveProperty('code');
  });

  it('for a redirect URI that is not registered shows a page and goes nowhere', async () => {
    const answer = await firstAnswer(ask(app, { redirect_uri: `${redirectUri}?other` }));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  it.each([
    ['request', 'request_not_supported'],
    ['request_uri', 'request_uri_not_supported'],
  ])('with %s is refused whole, as the metadata says', async (name, error) => {
    const metadata = await provider();
    expect(metadata[`${name}_parameter_supported`]).toBe(false);
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"redirect_uri":"https://other.example"}')}.`;
    const asked = ask(app, { [name]: name === 'request' ? unsigned : 'https://app.example.org/request.jwt' });
    expect(sentBack(await firstAnswer(asked)).error).toBe(error);
  });
});

describe('a member who signed in before', () => {
  it('has nothing that prompt=none could use: login_required', async () => {
    const back = sentBack(await firstAnswer(ask(app, { prompt: 'none' })));
    expect(back.error).toBe('login_required');
    expect(back).not.toHaveProperty('code');
  });

  it.each([
    ['prompt=login', { prompt: 'login' }],
    ['max_age=1', { max_age: '1' }],
  ])('signs in a second time for %s, at a later time', async (_what, changes: Changes) => {
    const browser = createBrowser(http, redirectUri);
    const claims = [];
    for (const asked of [ask(app, { max_age: '15000' }), ask(app, changes)]) {
      // `auth_time` is in seconds, and `max_age=1` accepts a sign-in one second old.
      if (claims.length > 0) await sleep(1_100);
      // The first request leaves an SSO session, which the second one must not use.
      const signIn = ticked(await browser.open(await addressOf(asked)), keepBox);
      const tokens = await tokensOf(app, await answerPages(browser, signIn, member), asked);
      claims.push(await idTokenClaims(app, tokens.id_token));
    }
    const [first, second] = claims.map(({ auth_time }) => Number(auth_time));
    expect(second).toBeGreaterThan(first ?? Number.NaN);
    expect(claims[1]?.sub).toBe(claims[0]?.sub);
  });

  it('is asked for no page for prompt=none, where they kept the sign-in and shared as much in it', async () => {
    const { browser, claims, tokens } = await completeAndKeep(app);
    const silent = ask(app, { prompt: 'none' });
    const back = await browser.open(await addressOf(silent));
    expect(back.kind).toBe('app');
    const callback = new URL(back.url);
    expect(callback.searchParams.get('state')).toBe(silent.parameters.get('state'));
    expect(callback.searchParams.get('iss')).toBe(issuer());
    const second = await tokensOf(app, callback, silent);
    const { sub, auth_time } = claims;
    expect(await idTokenClaims(app, second.id_token)).toMatchObject({
      ...{ sub, auth_time, nonce: silent.parameters.get('nonce') },
    });
    expect(second.scope).toBe(tokens.scope);
    expect((await readPatient(app, second.access_token)).status).toBe(200);
  });

  it('does not sign in again for max_age=10000, where they kept the sign-in', async () => {
    const { browser, claims } = await completeAndKeep(app, { max_age: '15000' });
    await sleep(1_100);
    const asked = ask(app, { max_age: '10000' });
    const consent = await browser.open(await addressOf(asked));
    const text = consent.kind === 'page' ? consent.page.text : '';
    expect(text).toContain('You are signed in as');
    expect(text).not.toContain('Password');
    const shared = await browser.submit(consent, {}, 'Share my data');
    const tokens = await tokensOf(app, new URL(shared.url), asked);
    const { sub, auth_time } = claims;
    expect(await idTokenClaims(app, tokens.id_token)).toMatchObject({ sub, auth_time });
  });

  it('is known by the id_token the application was given', async () => {
    const { browser, claims, tokens } = await completeAndKeep(app);
    const silent = ask(app, { prompt: 'none', id_token_hint: tokens.id_token });
    const back = await browser.open(await addressOf(silent));
    const second = await tokensOf(app, new URL(back.url), silent);
    expect(await idTokenClaims(app, second.id_token)).toMatchObject({ sub: claims.sub });
  });

  it('signs in again where nothing was kept, whatever id_token or age the application names', async () => {
    const browser = createBrowser(http, redirectUri);
    await answerPages(browser, await browser.open(await addressOf(ask(app))), member);
    const silent = ask(app, { prompt: 'none', id_token_hint: used.tokens.id_token });
    const back = await browser.open(await addressOf(silent));
    expect(new URL(back.url).searchParams.get('error')).toBe('login_required');
    const asked = await browser.open(await addressOf(ask(app, { max_age: '10000' })));
    expect(asked.kind === 'page' && asked.page.text).toContain('Password');
  });
});

describe('UserInfo', () => {
  const expected = () => ({ sub: used.claims.sub, fhirUser: used.claims.fhirUser });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  let token: string;
  beforeAll(async () => {
    token = (await complete(app)).tokens.access_token;
  });

  it('answers a GET with the subject of the id_token', async () => {
    const { userinfo_endpoint } = await provider();
    const answer = await localFetch(userinfo_endpoint, { headers: bearer(token) });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toEqual(expected());
  });

  it('answers a POST with the token in the header', async () => {
    const answer = await post((await provider()).userinfo_endpoint, {}, bearer(token));
    expect(await answer.json()).toEqual(expected());
  });

  it('answers a POST with the token in the body', async () => {
    const answer = await post((await provider()).userinfo_endpoint, { access_token: token });
    expect(await answer.json()).toEqual(expected());
  });

  it('refuses no token, and one that is none, with a challenge', async () => {
    const { userinfo_endpoint } = await provider();
    const without = await localFetch(userinfo_endpoint);
    expect(without.status).toBe(401);
    expect(await errorOf(await localFetch(userinfo_endpoint, { headers: bearer('x') }))).toEqual([
      401,
      'invalid_token',
    ]);
  });
});

describe('a refresh token', () => {
  it('refreshes for the client it was issued to, and for no other', async () => {
    const { scopes_supported, grant_types_supported } = await provider();
    expect(scopes_supported).toContain('offline_access');
    expect(grant_types_supported).toContain('refresh_token');
    const { tokens, claims } = await complete(app);
    expect(tokens.refresh_token).toMatch(/^[\x20-\x7e]+$/);
    const refreshed = await jsonOf<Tokens>(await refresh(app, tokens.refresh_token));
    const again = await idTokenClaims(app, refreshed.id_token);
    expect(again).toMatchObject({ iss: claims.iss, sub: claims.sub, auth_time: claims.auth_time });
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    const theirs = (await complete(other)).tokens.refresh_token;
    expect(await errorOf(await refresh(app, theirs))).toEqual([400, 'invalid_grant']);
  });
});

describe('a code used twice', () => {
  it('is refused at once', async () => {
    const { asked, code } = await complete(app);
    expect(await errorOf(await exchange(app, code, asked))).toEqual([400, 'invalid_grant']);
  });
});
