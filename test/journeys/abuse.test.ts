import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import { originsOf, redirectUri, register, registrationOf } from './journey.ts';

/** Raw requests through the gateway, in forms that no browser or library sends. */

const lob = 'DSNP';
const origins = () => originsOf('sandbox');
const verifier = randomBytes(32).toString('base64url');

let app: Awaited<ReturnType<typeof register>>;
beforeAll(async () => {
  app = await register('sandbox', registrationOf(lob));
});

interface Raw {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly milliseconds: number;
}

/** Sends a request target without normalizing it. `host` may differ from the host that is connected to. */
async function send(origin: string, target: string, raw: Raw = {}): Promise<Answer> {
  const { hostname, port, host } = new URL(origin);
  expect(hostname.endsWith('.localhost')).toBe(true);
  const began = performance.now();
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method: raw.method ?? 'GET',
        path: target,
        setHost: false,
        headers: { host, ...raw.headers },
      },
      (incoming) => {
        let body = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body,
            milliseconds: performance.now() - began,
          }),
        );
      },
    );
    // The gateway ends the connection when it refuses a body half-way; this counts as a refusal.
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')
        ? resolve({ status: 413, headers: {}, body: '', milliseconds: performance.now() - began })
        : reject(error),
    );
    outgoing.end(raw.body);
  });
}

const path = (url: string) => new URL(url).pathname;
const endpoints = () => authorizationServerEndpoints(origins(), lob);

function authorizationQuery(changes: Record<string, string> = {}): string {
  return `${new URLSearchParams({
    client_id: app.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid launch/patient patient/Patient.rs',
    state: 'of-the-app',
    aud: fhirBase(origins(), lob, 'patient-access'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  })}`;
}

const authorize = (query: string, raw: Raw = {}) =>
  send(origins().auth, `${path(endpoints().authorization)}?${query}`, raw);
const token = (raw: Raw) => send(origins().auth, path(endpoints().token), { method: 'POST', ...raw });

/** Expects no internal detail in the answer. */
function expectPlain(answer: Answer): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.body).not.toMatch(/dynamo|lambda|cognito|node_modules|stack|\bat .*:\d+:\d+/i);
}

describe('a redirect URI through the gateway', () => {
  it.each([
    ['a path more', `${redirectUri}/x`],
    ['another port', redirectUri.replace('.org', '.org:8443')],
    ['userinfo', redirectUri.replace('https://', 'https://app.example.org@evil.example/')],
    ['a backslash', redirectUri.replace('/callback', '\\@evil.example/callback')],
    ['an encoded backslash', redirectUri.replace('/callback', '%5c@evil.example/callback')],
    ['a double encoding', redirectUri.replace('callback', '%2563allback')],
    ['a fragment', `${redirectUri}#x`],
    ['an encoded line break', `${redirectUri}%0d%0aSet-Cookie:a=b`],
    ['a line break', `${redirectUri}\r\nSet-Cookie:a=b`],
    ['a null', `${redirectUri}\0`],
    ['a trailing dot', redirectUri.replace('.org', '.org.')],
    ['a look-alike letter', redirectUri.replace('app', 'аpp')],
    ['another case', redirectUri.toUpperCase()],
    ['a script', 'javascript:alert(1)'],
    ['an IPv6 address', 'https://[::1]/callback'],
    ['a hexadecimal address', 'https://0x7f.1/callback'],
  ])('with %s gets a page', async (_what, redirect_uri) => {
    const answer = await authorize(authorizationQuery({ redirect_uri }));
    expect(answer.status).toBe(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
    expectPlain(answer);
  });

  it('encoded once more in the query is another one', async () => {
    const query = authorizationQuery().replace(
      encodeURIComponent(redirectUri),
      encodeURIComponent(encodeURIComponent(redirectUri)),
    );
    expect((await authorize(query)).status).toBe(400);
  });
});

describe('a request nobody honest sends', () => {
  it.each<[string, Raw]>([
    ['another host', { headers: { host: 'evil.example' } }],
    ['two hosts in one', { headers: { host: 'auth.sandbox.localhost@evil.example' } }],
    ['no host', { headers: { host: '' } }],
  ])('with %s reaches no page of ours', async (_what, raw) => {
    const answer = await authorize(authorizationQuery(), raw);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain('Password');
    expectPlain(answer);
  });

  it.each([
    { 'x-forwarded-host': 'evil.example' },
    { 'x-original-url': '/fhir-oauth2/sec/mapd/authorize' },
    { 'x-http-method-override': 'DELETE' },
    { forwarded: 'host=evil.example' },
  ])('with %j is answered as without', async (headers) => {
    const answer = await authorize(authorizationQuery(), { headers });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toContain('evil');
    const metadata = await send(origins().auth, '/fhir-oauth2/dsnp/.well-known/openid-configuration', {
      headers,
    });
    expect(metadata.body).not.toContain('evil');
  });

  it.each(['TRACE', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])('by %s is refused', async (method) => {
    for (const answer of [await authorize(authorizationQuery(), { method }), await token({ method })]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectPlain(answer);
    }
  });

  it.each([
    '/fhir-oauth2/sec/dsnp/../mapd/authorize',
    '/fhir-oauth2/sec/dsnp/%2e%2e/mapd/authorize',
    '/fhir-oauth2/sec/dsnp%2fauthorize',
    '/fhir-oauth2/sec//dsnp/authorize',
    '/fhir-oauth2/sec/dsnp/authorize%00',
    '/fhir-oauth2/sec/dsnp/authorize;x=y',
    '/fhir-oauth2/sec/dsnp/authorize/..%2f..%2f',
    '//evil.example/fhir-oauth2/sec/dsnp/authorize',
    '/fhir-oauth2/sec/__proto__/authorize',
    '/fhir-oauth2/sec/constructor/authorize',
  ])('at %s opens no sign-in', async (target) => {
    const answer = await send(origins().auth, `${target}?${authorizationQuery()}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expectPlain(answer);
  });
});

describe('a body through the gateway', () => {
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  it.each<[string, Raw]>([
    ['11 MB', { headers: form, body: 'x'.repeat(11_000_000) }],
    ['5 MB', { headers: form, body: `code=${'x'.repeat(5_000_000)}` }],
    ['100,000 parameters', { headers: form, body: 'p=1&'.repeat(100_000) }],
    ['lists 100,000 deep', { headers: json, body: '['.repeat(100_000) }],
    ['a repeated member', { headers: json, body: '{"grant_type":"a","grant_type":"b"}' }],
    [
      'half a surrogate pair',
      { headers: json, body: '{"client_id":"\\ud800","client_secret":"x","grant_type":"x"}' },
    ],
    ['no UTF-8', { headers: form, body: Buffer.from([0x61, 0x3d, 0xc3, 0x28]) }],
    ['gzip', { headers: { ...json, 'content-encoding': 'gzip' }, body: Buffer.from([0x1f, 0x8b, 8, 0]) }],
  ])('of %s is refused in time', async (_what, raw) => {
    const answer = await token(raw);
    expect([400, 401, 413]).toContain(answer.status);
    expect(answer.milliseconds).toBeLessThan(5_000);
    expectPlain(answer);
  });

  it.each([
    ['x-a', 'x'.repeat(11_000)],
    ['cookie', 'a=b; '.repeat(3_000)],
    ['authorization', `Basic ${'A'.repeat(11_000)}`],
  ])('with 11 KB of %s is refused', async (name, value) => {
    const answer = await token({ headers: { ...form, [name]: value }, body: 'grant_type=x' });
    expect([400, 413, 431]).toContain(answer.status);
    expectPlain(answer);
  });
});

describe('a token through the gateway', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = () => ({
    iss: `${origins().auth}/fhir-oauth2/dsnp`,
    aud: fhirBase(origins(), lob, 'patient-access'),
    sub: randomUUID(),
    client_id: app.clientId,
    exp: 4_000_000_000,
    scope: 'patient/*.read',
    lob,
    environment: 'sandbox',
  });

  it.each([
    { alg: 'none' },
    { alg: 'HS256', kid: '../../../../dev/null' },
    { alg: 'RS256', kid: "' OR 1=1 --" },
    { alg: 'RS256', jku: 'https://evil.example/jwks' },
    { alg: 'RS256', crit: ['b64'], b64: false },
  ])('of the header %j lets nobody in', async (header) => {
    const forged = `${encode({ typ: 'at+jwt', ...header })}.${encode(claims())}.`;
    for (const text of [forged, `${forged}${'A'.repeat(342)}`]) {
      const target = `${path(fhirBase(origins(), lob, 'patient-access'))}/Patient/x`;
      const answer = await send(new URL(fhirBase(origins(), lob, 'patient-access')).origin, target, {
        headers: { authorization: `Bearer ${text}`, 'x-api-subscription-key': app.subscriptionKey },
      });
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body).resourceType).toBe('OperationOutcome');
    }
  });

  it('in the query or a cookie is none', async () => {
    const base = fhirBase(origins(), lob, 'patient-access');
    const answer = await send(
      new URL(base).origin,
      `${path(base)}/Patient/x?access_token=x&x-api-subscription-key=${app.subscriptionKey}`,
      {
        headers: { cookie: `access_token=x; Authorization=Bearer x` },
      },
    );
    expect(answer.status).toBe(401);
  });
});
