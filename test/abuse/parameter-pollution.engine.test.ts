import { afterAll, describe, expect, it } from 'vitest';
import { rfc7636, theRedirectUri, theSecret } from '../authorization/builders.ts';
import { eventOf, headerOf, redirectOf } from '../authorization/events.ts';
import { startHandlerWorld } from '../authorization/handler-world.ts';
import { authorizationQuery, basic, obtainCode, tokenCall } from '../authorization/journey.ts';

/** Requests whose parameters two parsers would read differently, such as repeated ones. */

const world = await startHandlerWorld();
afterAll(() => world.stop());
const client = await world.register();

const tokenPath = '/fhir-oauth2/pub/dsnp/token';
const authorizePath = '/fhir-oauth2/sec/dsnp/authorize';

async function token(body: string, type = 'application/json', query?: string) {
  const answer = await world.token(
    eventOf({
      method: 'POST',
      path: tokenPath,
      form: body,
      headers: { 'content-type': type, authorization: basic(client.clientId) },
      ...(query !== undefined && { query }),
    }),
  );
  const { error, access_token } = JSON.parse(answer.body);
  return { status: answer.statusCode, error, issued: access_token !== undefined };
}

function goodBody(code: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: theRedirectUri,
    code_verifier: rfc7636.verifier,
  };
}

const code = () => obtainCode(world, authorizationQuery(client.clientId));

describe('a token request', () => {
  it.each([
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
  ])('with two of %s in a form is refused, and the code stays good', async (name) => {
    const good = goodBody(await code());
    const body = new URLSearchParams(good);
    body.append(name, good[name] ?? '');
    expect(await token(`${body}`, 'application/x-www-form-urlencoded')).toMatchObject({
      status: 400,
      error: 'invalid_request',
    });
    expect((await token(JSON.stringify(good))).issued).toBe(true);
  });

  it.each([
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
    'unknown',
  ])('with two of %s in JSON is refused, and the code stays good', async (name) => {
    const good = { ...goodBody(await code()), unknown: 'x' };
    const twice = JSON.stringify(good).replace('{', `{${JSON.stringify(name)}:"other",`);
    expect(await token(twice)).toMatchObject({ status: 400, error: 'invalid_request' });
    const escaped = JSON.stringify(good).replace(
      '{',
      `{"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":"other",`,
    );
    expect(await token(escaped)).toMatchObject({ status: 400, error: 'invalid_request' });
    expect((await token(JSON.stringify(good))).issued).toBe(true);
  });

  it.each([
    ['a list', '{"grant_type":["authorization_code"]}'],
    ['an object', '{"grant_type":{"toString":"authorization_code"}}'],
    ['a number', '{"grant_type":1}'],
    ['null', '{"grant_type":null}'],
    ['a list around it all', '[{"grant_type":"authorization_code"}]'],
    ['a string', '"grant_type"'],
    ['nothing', ''],
    ['two objects', '{}{}'],
    ['a prototype', '{"__proto__":{"grant_type":"authorization_code"}}'],
    ['a prototype as text', '{"__proto__":"x","grant_type":"authorization_code"}'],
    ['a constructor', '{"constructor":{"prototype":{"grant_type":"authorization_code"}}}'],
    ['a form under JSON’s name', 'grant_type=authorization_code'],
    ['a byte order mark', '\ufeff{"grant_type":"authorization_code"}'],
  ])('with %s in JSON is 400', async (_what, body) => {
    expect(await token(body)).toMatchObject({ status: 400, error: 'invalid_request' });
    expect(({} as Record<string, unknown>).grant_type).toBeUndefined();
  });

  it('reads nothing from the query', async () => {
    const good = goodBody(await code());
    const { code: held, ...rest } = good;
    expect(await token(JSON.stringify(rest), 'application/json', `code=${held}`)).toMatchObject({
      status: 400,
      error: 'invalid_request',
    });
    const other = `${new URLSearchParams({ ...good, code: 'other', redirect_uri: 'https://evil.example/' })}`;
    expect((await token(JSON.stringify(good), 'application/json', other)).issued).toBe(true);
  });

  it.each([
    'Code',
    'CODE',
    'code ',
    ' code',
    'code[]',
    'code\0',
    'co%64e',
  ])('knows no parameter %j', async (name) => {
    const { code: held, ...rest } = goodBody(await code());
    expect(await token(JSON.stringify({ ...rest, [name]: held }))).toMatchObject({
      status: 400,
      error: 'invalid_request',
    });
  });

  it.each([
    ['in header and body', { client_secret: theSecret }],
    ['for two clients', { client_id: 'client-99999999' }],
  ])('with credentials %s is refused', async (_what, more) => {
    const body = { ...goodBody(await code()), ...more };
    expect(await token(JSON.stringify(body))).toMatchObject({ status: 400, error: 'invalid_request' });
  });

  it.each([
    ['half a surrogate pair', 'client-\ud800'],
    ['a pair cut in two by the length', `${'x'.repeat(63)}\u{1f600}`],
    ['a null', 'client\0'],
    ['a line break', 'client\r\nX: y'],
    ['a key of another kind', 'x#CLIENT'],
    ['a thousand characters', 'c'.repeat(1_000)],
  ])('from a client id with %s is a plain invalid_client', async (_what, clientId) => {
    const answer = await world.token(
      eventOf(
        tokenCall('nobody', 'code', {
          headers: {},
          json: { ...goodBody('x'), client_id: clientId, client_secret: 'x' },
        }),
      ),
    );
    expect(answer.statusCode).toBe(401);
    expect(JSON.parse(answer.body)).toEqual({
      error: 'invalid_client',
      error_description: 'client authentication failed',
    });
  });

  it.each([
    '\ud800',
    '\0',
    '../../etc/passwd',
    "' OR 1=1 --",
    '{"$gt":""}',
    '%00',
    'é'.repeat(64),
  ])('with the code %j is a plain invalid_grant', async (presented) => {
    const body = { ...goodBody(presented), redirect_uri: '\udfff' };
    expect(await token(JSON.stringify(body))).toMatchObject({ status: 400, error: 'invalid_grant' });
  });
});

describe('an authorization request', () => {
  it.each([
    'response_type',
    'scope',
    'state',
    'aud',
    'nonce',
    'prompt',
    'code_challenge',
    'code_challenge_method',
  ])('with two of %s is refused by a redirect', async (name) => {
    const query = `${authorizationQuery(client.clientId, { prompt: 'login' })}&${name}=other`;
    const answer = await world.authorize(eventOf({ path: authorizePath, query }));
    expect(redirectOf(answer).getAll('error')).toEqual(['invalid_request']);
    expect(redirectOf(answer).get('code')).toBeNull();
    if (name === 'state') expect(redirectOf(answer).get('state')).toBeNull();
  });

  it.each(['client_id', 'redirect_uri'])('with two of %s gets a page and no redirect', async (name) => {
    const query = `${authorizationQuery(client.clientId)}&${name}=https://evil.example/`;
    const answer = await world.authorize(eventOf({ path: authorizePath, query }));
    expect([answer.statusCode, headerOf(answer, 'location')]).toEqual([400, '']);
  });

  it('posted as a form reads nothing from its query, nor the other way round', async () => {
    const query = authorizationQuery(client.clientId);
    const posted = await world.authorize(
      eventOf({ method: 'POST', path: authorizePath, query, form: 'state=only-this' }),
    );
    expect(posted.statusCode).toBe(400);
    const got = await world.authorize(
      eventOf({ method: 'GET', path: authorizePath, form: query, query: 'state=x' }),
    );
    expect(got.statusCode).toBe(400);
  });

  it.each([
    ['as many characters as fit', 'x'.repeat(2_000), true],
    ['one more', 'x'.repeat(2_001), false],
    ['fewer, that grow in the redirect', '\u{1f600}'.repeat(1_000), false],
    ['a whole body of them', 'x'.repeat(12_000), false],
  ])('brings back a state of %s: %#', async (_what, state, comesBack) => {
    const form = authorizationQuery(client.clientId, { state, response_type: 'token' });
    const answer = await world.authorize(eventOf({ path: authorizePath, form }));
    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer).get('state')).toBe(comesBack ? state : null);
    // API Gateway, "Quotas": 10,240 bytes of headers.
    expect(headerOf(answer, 'location').length).toBeLessThan(8_000);
  });

  it.each(['Client_id', 'CLIENT_ID', 'client_id[]', 'client_id '])('knows no parameter %j', async (name) => {
    const query = authorizationQuery(client.clientId).replace('client_id', encodeURIComponent(name));
    const answer = await world.authorize(eventOf({ path: authorizePath, query }));
    expect(answer.statusCode).toBe(400);
  });
});
