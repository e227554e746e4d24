import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { machineAccessToken } from '../../../lambdas/catalog/oauth/access-token.ts';
import { parse } from '../../../lambdas/platform/kernel/shapes.ts';
import { refusal } from '../../support/faulty-proxy.ts';
import { rfc7636, theRedirectUri, theSecret } from '../builders.ts';
import { eventOf, headerOf } from '../events.ts';
import { origins, resourceId, startHandlerWorld } from '../handler-world.ts';
import { authorizationQuery, basic, obtainCode, tokenCall } from '../journey.ts';

const world = await startHandlerWorld();
afterAll(() => world.stop());
const { clientId } = await world.register();

const code = () => obtainCode(world, authorizationQuery(clientId));
const grantForm = (value: string) => ({
  grant_type: 'authorization_code',
  code: value,
  redirect_uri: theRedirectUri,
  code_verifier: rfc7636.verifier,
});

describe('the token endpoint', () => {
  it.each(['dsnp/token', 'DSNP/token', 'dsnp/token/', 'DSNP/token/'])('answers at %s', async (path) => {
    const call = tokenCall(clientId, await code(), { path: `/fhir-oauth2/pub/${path}` });
    expect((await world.token(eventOf(call))).statusCode).toBe(200);
  });

  it('takes the form encoding, with the secret in header or body', async () => {
    const { json: _json, ...inHeader } = tokenCall(clientId, '');
    expect((await world.token(eventOf({ ...inHeader, form: grantForm(await code()) }))).statusCode).toBe(200);
    const form = { ...grantForm(await code()), client_id: clientId, client_secret: theSecret };
    expect((await world.token(eventOf({ path: inHeader.path, form }))).statusCode).toBe(200);
  });

  it('takes a media type with parameters, in any case', async () => {
    const call = tokenCall(clientId, await code());
    const headers = { ...call.headers, 'Content-Type': 'Application/JSON; charset=utf-8' };
    expect((await world.token({ ...eventOf(call), headers })).statusCode).toBe(200);
  });

  it('takes a body in base64, as API Gateway may hand it over', async () => {
    const event = eventOf(tokenCall(clientId, await code()));
    const body = Buffer.from(event.body ?? '').toString('base64');
    expect((await world.token({ ...event, body, isBase64Encoded: true })).statusCode).toBe(200);
  });

  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  it.each<[string, Record<string, string>, string | null]>([
    ['malformed JSON', json, '{"grant_type":'],
    ['an empty JSON body', json, ''],
    ['a JSON list', json, '[]'],
    ['a JSON string', json, '"grant_type"'],
    ['JSON null', json, 'null'],
    ['a number among the values', json, '{"grant_type":1}'],
    ['a nested value', json, '{"grant_type":{"a":"b"}}'],
    ['a list among the values', json, '{"grant_type":["authorization_code","x"]}'],
    ['a prototype in it', json, '{"__proto__":{"grant_type":"x"}}'],
    ['deeply nested JSON', json, '['.repeat(8_000)],
    ['a JSON body that is too large', json, `{"code":"${'x'.repeat(20_000)}"}`],
    ['a form that is too large', form, `code=${'x'.repeat(20_000)}`],
    ['a malformed form', form, 'grant_type=%zz'],
    ['an empty form', form, ''],
    ['a repeated parameter', form, 'grant_type=authorization_code&grant_type=authorization_code'],
    ['no content type', {}, 'grant_type=authorization_code'],
    ['another content type', { 'content-type': 'text/plain' }, 'grant_type=authorization_code'],
    ['no body', json, null],
  ])('refuses %s as invalid_request', async (_what, headers, body) => {
    const event = eventOf({ method: 'POST', path: '/fhir-oauth2/pub/dsnp/token' });
    const answer = await world.token({
      ...event,
      headers: { ...headers, authorization: basic(clientId) },
      body,
    });
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'invalid_request' });
    expect(headerOf(answer, 'x-request-id')).toBe('request-1');
    expect(headerOf(answer, 'cache-control')).toBe('no-store');
  });

  it('answers a wrong secret by 401 with a challenge', async () => {
    const call = tokenCall(clientId, 'x', { headers: { authorization: basic(clientId, 'wrong') } });
    const answer = await world.token(eventOf(call));
    expect(answer.statusCode).toBe(401);
    expect(JSON.parse(answer.body).error).toBe('invalid_client');
    expect(headerOf(answer, 'www-authenticate')).toMatch(/^Basic realm=/);
  });

  it('has nothing at other paths, and takes POST only', async () => {
    expect((await world.token(eventOf({ path: '/fhir-oauth2/pub/nolob/token', form: '' }))).statusCode).toBe(
      404,
    );
    expect((await world.token(eventOf({ path: '/fhir-oauth2/pub/dsnp/other', form: '' }))).statusCode).toBe(
      404,
    );
    const answer = await world.token(eventOf({ method: 'GET', path: '/fhir-oauth2/pub/dsnp/token' }));
    expect(answer.statusCode).toBe(405);
    expect(headerOf(answer, 'allow')).toBe('POST');
  });

  it('lets browser applications of any origin in', async () => {
    const path = '/fhir-oauth2/pub/dsnp/token';
    const preflight = await world.token(eventOf({ method: 'OPTIONS', path }));
    expect(preflight.statusCode).toBe(204);
    expect(headerOf(preflight, 'access-control-allow-headers')).toContain('Authorization');
    for (const call of [tokenCall(clientId, 'x'), { path, form: '' }]) {
      expect(headerOf(await world.token(eventOf(call)), 'access-control-allow-origin')).toBe('*');
    }
  });

  it('says 503 and issues nothing while the store can’t be reached, and the code stays good', async () => {
    const value = await code();
    const { table } = world;
    const before = await table.query({ pk: 'AUDIT#DSNP#PATIENT#7c9e6679-7425-40de-944b-e07fc1f90ae7' });
    const answer = await world.withoutStore(() => world.token(eventOf(tokenCall(clientId, value))));
    expect(answer.statusCode).toBe(503);
    expect(JSON.parse(answer.body)).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'The service is busy. Try again.',
    });
    expect(headerOf(answer, 'retry-after')).toBe('1');
    const after = await table.query({ pk: 'AUDIT#DSNP#PATIENT#7c9e6679-7425-40de-944b-e07fc1f90ae7' });
    expect(after.items).toHaveLength(before.items.length);
    expect((await world.token(eventOf(tokenCall(clientId, value)))).statusCode).toBe(200);
  });

  it('says 503 on a page while the store can’t be reached', async () => {
    const call = { path: '/fhir-oauth2/sec/dsnp/authorize', query: authorizationQuery(clientId) };
    const page = await world.withoutStore(() => world.authorize(eventOf(call)));
    expect(page.statusCode).toBe(503);
    expect(headerOf(page, 'content-type')).toBe('text/html; charset=utf-8');
    expect(headerOf(page, 'location')).toBe('');
    expect(headerOf(page, 'retry-after')).toBe('5');
  });

  it.each([
    'AccessDeniedException',
    'ExpiredTokenException',
  ])('says 503 where the store refuses who calls: %s', async (code) => {
    const denied = refusal(code);
    world.proxy.plan(denied);
    const answer = await world.token(eventOf(tokenCall(clientId, 'a-code')));
    expect(answer.statusCode).toBe(503);
    expect(headerOf(answer, 'retry-after')).toBe('1');
    expect(world.logLines.at(-1)).toContain('StoreDenied');
    world.proxy.plan(denied);
    const call = { path: '/fhir-oauth2/sec/dsnp/authorize', query: authorizationQuery(clientId) };
    const page = await world.authorize(eventOf(call));
    expect([page.statusCode, headerOf(page, 'retry-after')]).toEqual([503, '5']);
    world.proxy.plan();
  });
});

describe('the machine-to-machine token endpoint', () => {
  const request = () => ({
    path: '/token/v2',
    form: {
      client_id: clientId,
      client_secret: theSecret,
      grant_type: 'client_credentials',
      scope: `${resourceId}/.default`,
    },
    authorizer: { clientId, products: 'patient-access' },
  });

  it('gives a token its published keys verify', async () => {
    const answer = await world.machineToken(eventOf(request()));
    expect(answer.statusCode).toBe(200);
    const body = JSON.parse(answer.body);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 300, scope: `${resourceId}/.default` });
    const jwks = await world.discovery(eventOf({ path: '/.well-known/jwks.json' }));
    const verified = await jwtVerify(body.access_token, createLocalJWKSet(JSON.parse(jwks.body)), {
      issuer: origins.token,
      audience: resourceId,
      typ: 'at+jwt',
    });
    expect(parse(machineAccessToken, verified.payload).client_id).toBe(clientId);
  });

  it('refuses the key of another application, or of none, by 403', async () => {
    for (const authorizer of [{ clientId: 'other', products: '' }, {}]) {
      const answer = await world.machineToken(eventOf({ ...request(), authorizer }));
      expect(answer.statusCode).toBe(403);
      expect(JSON.parse(answer.body).error).toBe('invalid_client');
    }
  });

  it('takes the form encoding only, and POST only', async () => {
    const { form, ...rest } = request();
    expect((await world.machineToken(eventOf({ ...rest, json: form }))).statusCode).toBe(400);
    const answer = await world.machineToken(eventOf({ ...rest, method: 'GET' }));
    expect(answer.statusCode).toBe(405);
    expect(headerOf(answer, 'allow')).toBe('POST');
  });

  it('answers a wrong secret by 401', async () => {
    const { form, ...rest } = request();
    const answer = await world.machineToken(eventOf({ ...rest, form: { ...form, client_secret: 'wrong' } }));
    expect(answer.statusCode).toBe(401);
  });
});

describe('discovery', () => {
  it.each(
    lineOfBusinessCodes,
  )('describes the authorization server of %s alike at every path', async (lob) => {
    const code = lob.toLowerCase();
    const documents = await Promise.all(
      [
        `/fhir-oauth2/${code}/.well-known/openid-configuration`,
        `/fhir-oauth2/${code}/.well-known/oauth-authorization-server`,
        `/.well-known/oauth-authorization-server/fhir-oauth2/${code}`,
        `/.well-known/openid-configuration/fhir-oauth2/${code}`,
      ].map((path) => world.discovery(eventOf({ path }))),
    );
    expect(new Set(documents.map(({ body }) => body)).size).toBe(1);
    const [document] = documents;
    expect(document?.statusCode).toBe(200);
    expect(JSON.parse(document?.body ?? '')).toMatchObject({
      issuer: `${origins.auth}/fhir-oauth2/${code}`,
      authorization_endpoint: `${origins.auth}/fhir-oauth2/sec/${code}/authorize`,
      token_endpoint: `${origins.auth}/fhir-oauth2/pub/${code}/token`,
      code_challenge_methods_supported: ['S256'],
    });
  });

  it('may be remembered by anybody, and read from anywhere', async () => {
    const answer = await world.discovery(eventOf({ path: '/fhir-oauth2/pub/dsnp/jwks' }));
    expect(headerOf(answer, 'cache-control')).toBe('public, max-age=300');
    // API Gateway compresses the response for clients that accept gzip.
    expect(headerOf(answer, 'vary')).toBe('Accept-Encoding');
    expect(headerOf(answer, 'pragma')).toBe('');
    expect(headerOf(answer, 'access-control-allow-origin')).toBe('*');
  });

  it('publishes no private member of a key', async () => {
    for (const path of ['/fhir-oauth2/pub/dsnp/jwks', '/.well-known/jwks.json']) {
      const { keys } = JSON.parse((await world.discovery(eventOf({ path }))).body);
      expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    }
  });

  it('are answered as they were known while every call to the store is denied', async () => {
    const call = eventOf({ path: '/fhir-oauth2/pub/dsnp/jwks' });
    const before = await world.discovery(call);
    world.proxy.plan(refusal('AccessDeniedException'));
    const denied = await world.discovery(call);
    world.proxy.plan();
    expect([denied.statusCode, denied.body]).toEqual([200, before.body]);
    expect(headerOf(denied, 'cache-control')).toBe('public, max-age=30');
  });

  it('says 503, and lets nobody remember it, before an authority has keys', async () => {
    const answer = await world.discovery(eventOf({ path: '/fhir-oauth2/pub/egwp/jwks' }));
    expect(answer.statusCode).toBe(503);
    expect(headerOf(answer, 'cache-control')).toBe('no-store');
  });

  it('answers HEAD as it does GET', async () => {
    for (const path of ['/fhir-oauth2/dsnp/.well-known/openid-configuration', '/.well-known/jwks.json']) {
      const [got, asked] = [
        await world.discovery(eventOf({ path })),
        await world.discovery(eventOf({ path, method: 'HEAD' })),
      ];
      expect([asked.statusCode, asked.headers]).toEqual([200, got.headers]);
    }
  });

  it('has nothing at other paths, and takes GET and HEAD only', async () => {
    for (const path of ['/', '/fhir-oauth2/nolob/.well-known/openid-configuration', '/.well-known/x']) {
      expect((await world.discovery(eventOf({ path }))).statusCode).toBe(404);
    }
    const call = { method: 'POST', path: '/.well-known/jwks.json' };
    const answer = await world.discovery(eventOf(call));
    expect(answer.statusCode).toBe(405);
    expect(headerOf(answer, 'allow')).toBe('GET, HEAD');
  });
});
