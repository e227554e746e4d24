import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { ClientRegistration } from '../../lambdas/clients/provisioning/registration-contract.ts';
import type { App } from './app-calls.ts';
import {
  decide,
  localFetch,
  memberOf,
  originsOf,
  provision,
  redirectUri,
  register,
  registrationOf,
  runningSystem,
} from './journey.ts';

/** Causes each error that the documentation lists for the APIs, and compares status and body to the page. */

const lob = 'DSNP';
const registration = registrationOf(lob, { pkceRequired: false });
let app: App;
let token: string;
/** Cells of the page's rows by the row's ID: status (if the table has it), code, text. */
const rows = new Map<string, readonly string[]>();

const endpoints = () => authorizationServerEndpoints(originsOf('sandbox'), lob);
const machineToken = () => `${originsOf('sandbox').token}/token/v2`;
const base = () => fhirBase(originsOf('sandbox'), lob, 'patient-access');
const patient = () => `/Patient/${memberOf('sandbox', lob).patientId}`;

function authorizationUrl(
  changes: Record<string, string | undefined> = {},
  at: string = endpoints().authorization,
) {
  const query = {
    client_id: app.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    state: 'of-the-app',
    aud: base(),
    ...changes,
  };
  const sent = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${at}?${new URLSearchParams(sent)}`;
}

const authorize = (changes: Record<string, string | undefined>, at?: string) =>
  localFetch(authorizationUrl(changes, at), { redirect: 'manual' });

const basic = (of: App, secret = of.clientSecret) =>
  `Basic ${Buffer.from(`${of.clientId}:${secret}`).toString('base64')}`;

const ask = (form: Record<string, string>, authorization = basic(app), url: string = endpoints().token) =>
  localFetch(url, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) });

async function tokenWith(changes: Record<string, string> = {}, of = app): Promise<string> {
  const back = await decide(
    authorizationUrl({ client_id: of.clientId, ...changes }),
    memberOf('sandbox', lob),
  );
  const code = back.searchParams.get('code') ?? '';
  const answer = await ask({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }, basic(of));
  return ((await answer.json()) as { access_token: string }).access_token;
}

const read = (
  headers: { readonly token?: string; readonly key?: string; readonly accept?: string } = {},
  path = patient(),
) =>
  localFetch(`${base()}${path}`, {
    headers: {
      ...(headers.token !== '' && { authorization: `Bearer ${headers.token ?? token}` }),
      ...(headers.key !== '' && { 'x-api-subscription-key': headers.key ?? app.subscriptionKey }),
      ...(headers.accept !== undefined && { accept: headers.accept }),
    },
  });

const machine = (key: string, path = machineToken(), form: Record<string, string> = {}) =>
  localFetch(path, {
    method: 'POST',
    headers: { authorization: basic(app), ...(key !== '' && { 'x-api-subscription-key': key }) },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: app.machineScope ?? '', ...form }),
  });

const another = (changes: Partial<ClientRegistration> = {}) =>
  register('sandbox', { ...registration, ...changes });

/**
 * Sends many requests at once and returns the first answer with the status. A request before them fills the gateway's authorizer cache, so
 * that the usage plan counts the others as they arrive, however slow functions are.
 */
async function amongMany(status: number, call: () => Promise<Response>): Promise<Response> {
  await (await call()).text();
  const answers = await Promise.all(Array.from({ length: 60 }, call));
  return answers.find((answer) => answer.status === status) ?? answers[0] ?? (await call());
}

beforeAll(async () => {
  app = await register('sandbox', registration);
  token = await tokenWith();
  const page = await localFetch(`http://portal.localhost:${runningSystem().port}/docs/errors`);
  for (const [, row = ''] of (await page.text()).matchAll(/<tr>(<td>[\s\S]*?)<\/tr>/g)) {
    const id = /<code id="([^"]+)">/.exec(row)?.[1];
    const cells = [...row.matchAll(/<td>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => plain(cell));
    if (id !== undefined) rows.set(id, cells);
  }
});

function plain(cell: string): string {
  return cell
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const search = (body: string, type = 'application/x-www-form-urlencoded') =>
  localFetch(`${base()}/Patient/_search`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-api-subscription-key': app.subscriptionKey,
      'content-type': type,
    },
    body,
  });

/** A content encoding that API Gateway does not decompress. */
const coded = { 'content-encoding': 'br' };

const ways: Readonly<Record<string, () => Promise<Response>>> = {
  'fhir-not-found': () => read({}, `/Patient/${randomUUID()}`),
  'fhir-method-not-allowed': () =>
    localFetch(`${base()}${patient()}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, 'x-api-subscription-key': app.subscriptionKey },
    }),
  'fhir-not-acceptable': () => read({ accept: 'text/xml' }),
  'fhir-unsupported-media-type': () => search('_id=x', 'text/plain'),
  'fhir-form-malformed': () => search('_id=%'),
  'fhir-parameters-malformed': () =>
    localFetch(`${base()}${patient()}/$everything`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-api-subscription-key': app.subscriptionKey,
        'content-type': 'application/fhir+json',
      },
      body: '{"resourceType":"Bundle"}',
    }),
  'fhir-form-too-long': () => search(`_id=${'x'.repeat(8200)}`),
  'fhir-invalid-token': async () => {
    const ended = await tokenWith();
    await ask({ token: ended }, basic(app), endpoints().revocation);
    return await read({ token: ended });
  },
  'fhir-insufficient-scope': async () => {
    const { access_token } = (await (await machine(app.subscriptionKey)).json()) as { access_token: string };
    return await read({ token: access_token });
  },
  'fhir-product-missing': async () => {
    const narrowed = await another();
    const before = await tokenWith({}, narrowed);
    const changed = { ...registration, products: ['payer-access'] as const };
    await provision('sandbox', {
      action: 'update',
      requestId: randomUUID(),
      clientId: narrowed.clientId,
      registration: { ...changed, products: [...changed.products] },
    });
    return await read({ token: before, key: narrowed.subscriptionKey });
  },
  'gateway-fhir-ACCESS_DENIED': () => read({ token: 'e30.e30.x' }),
  'gateway-fhir-UNAUTHORIZED': () => read({ key: '' }),
  'gateway-fhir-INVALID_API_KEY': () => read({ key: 'k'.repeat(40) }),
  'gateway-fhir-MISSING_AUTHENTICATION_TOKEN': () => read({}, '/Nothing/1'),
  'gateway-fhir-THROTTLED': async () => {
    const eager = await another({ tier: 'narrow' });
    const own = { token: await tokenWith({}, eager), key: eager.subscriptionKey };
    return await amongMany(429, () => read(own));
  },
  'gateway-fhir-UNSUPPORTED_MEDIA_TYPE': () =>
    localFetch(`${base()}${patient()}`, {
      method: 'GET',
      headers: { ...coded, authorization: `Bearer ${token}`, 'x-api-subscription-key': app.subscriptionKey },
    }),
  'token-invalid_request': () => ask({}),
  'token-invalid_client': () => ask({ grant_type: 'refresh_token' }, basic(app, 'wrong')),
  'token-invalid_grant': () =>
    ask({ grant_type: 'authorization_code', code: 'x'.repeat(43), redirect_uri: redirectUri }),
  'token-unauthorized_client': async () => {
    const back = await another({ grantTypes: ['client_credentials'], redirectUris: [] });
    return await ask({ grant_type: 'authorization_code', code: 'x', redirect_uri: redirectUri }, basic(back));
  },
  'token-unsupported_grant_type': () => ask({ grant_type: 'password' }),
  'token-invalid_scope': () => machine(app.subscriptionKey, machineToken(), { scope: 'system/*.read' }),
  'token-invalid_target': () =>
    machine(app.subscriptionKey, machineToken(), { resource: 'https://elsewhere.example' }),
  'fhir-unknown-directory-type': () =>
    localFetch(`${fhirBase(originsOf('sandbox'), lob, 'provider-directory')}/Patient`, {
      headers: { 'x-api-subscription-key': app.subscriptionKey },
    }),
  'authorization-invalid_request': () => authorize({ aud: undefined }),
  'authorization-unauthorized_client': () =>
    authorize(
      { aud: fhirBase(originsOf('sandbox'), 'MAPD', 'patient-access') },
      authorizationServerEndpoints(originsOf('sandbox'), 'MAPD').authorization,
    ),
  'authorization-access_denied': async () => {
    const back = await decide(authorizationUrl(), memberOf('sandbox', lob), "Don't share");
    return new Response(null, { status: 303, headers: { location: back.href } });
  },
  'authorization-unsupported_response_type': () => authorize({ response_type: 'token' }),
  'authorization-invalid_scope': () => authorize({ scope: 'patient/Coverage.write' }),
  'authorization-invalid_target': () => authorize({ resource: 'https://elsewhere.example' }),
  'authorization-login_required': () => authorize({ prompt: 'none' }),
  'authorization-request_not_supported': () => authorize({ request: 'e30.e30.' }),
  'authorization-request_uri_not_supported': () => authorize({ request_uri: 'https://app.example.org/r' }),
  'page-client_id_missing': () => authorize({ client_id: undefined }),
  'page-client_unknown': () => authorize({ client_id: randomUUID() }),
  'page-client_inactive': async () => {
    const { clientId } = await another();
    await provision('sandbox', { action: 'suspend', requestId: randomUUID(), clientId });
    return await authorize({ client_id: clientId });
  },
  'page-redirect_uri_missing': () => authorize({ redirect_uri: undefined }),
  'page-redirect_uri_unregistered': () => authorize({ redirect_uri: `${redirectUri}/` }),
  'bearer-invalid_request': () =>
    localFetch(endpoints().userInfo, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ access_token: token }),
    }),
  'bearer-invalid_token': () =>
    localFetch(endpoints().userInfo, { headers: { authorization: 'Bearer e30.e30.x' } }),
  'bearer-insufficient_scope': async () => {
    const authorization = `Bearer ${await tokenWith({ scope: 'patient/Patient.read' })}`;
    return await localFetch(endpoints().userInfo, { headers: { authorization } });
  },
  'gateway-oauth-UNAUTHORIZED': () => machine(''),
  'gateway-oauth-INVALID_API_KEY': () => machine('k'.repeat(40)),
  'gateway-oauth-MISSING_AUTHENTICATION_TOKEN': () => machine(app.subscriptionKey, `${machineToken()}/more`),
  'gateway-oauth-THROTTLED': async () => {
    const { subscriptionKey } = await another({ tier: 'narrow' });
    return await amongMany(429, () => machine(subscriptionKey));
  },
  'gateway-oauth-UNSUPPORTED_MEDIA_TYPE': () =>
    localFetch(machineToken(), { method: 'POST', headers: coded, body: 'grant_type=client_credentials' }),
};

/** Errors that no request can cause on this machine, and the test that shows them. */
const inFaults = 'the store is here: test/faults';
const inCloud = 'AWS’s own, which is not on this machine: test/lib/constructs/gateway-responses';
const elsewhere: Readonly<Record<string, string>> = {
  'fhir-server-defect': 'there is none to find: test/patient-access/patient-access.engine.test.ts',
  'fhir-server-busy': inFaults,
  'fhir-invalid-search': 'each issue has words of its own: test/journeys/claims.test.ts',
  'fhir-organization-unverified': 'of payers: test/payer-access/match/member-match.engine.test.ts',
  'fhir-member-not-matched': 'of payers: test/payer-access/match/member-match.engine.test.ts',
  'fhir-too-many-matches': 'of payers: test/payer-access/match/member-match.engine.test.ts',
  'fhir-async-only': 'of payers: test/payer-access/match/bulk-match.engine.test.ts',
  'fhir-request-too-long': 'of payers: test/payer-access/match/bulk-match.engine.test.ts',
  'fhir-too-many-jobs': 'of payers: test/payer-access/match/bulk-match.engine.test.ts',
  'fhir-too-many-members': 'of payers: test/payer-access/match/bulk-match.engine.test.ts',
  'fhir-job-failed': 'of payers: test/payer-access/match/bulk-match.engine.test.ts',
  'fhir-file-withheld': 'of payers: test/payer-access/jobs/export.engine.test.ts',
  'fhir-publication-gone': 'of the directory: test/provider-directory/kept-publications.test.ts',
  'token-temporarily_unavailable': 'three thousand requests in a minute: test/platform/kernel/rates.test.ts',
  'token-server_error': inFaults,
  'bearer-temporarily_unavailable':
    'three thousand requests in a minute: test/authorization/token/userinfo-endpoint.test.ts',
  'authorization-interaction_required':
    'a person with several members to choose from: test/oauth/authorize/patient-choice-steps',
  'authorization-consent_required': 'a member who keeps their sign-in: the tests of silent authorization',
  ...Object.fromEntries(
    ['fhir', 'oauth'].flatMap((kind) => [
      [`gateway-${kind}-API_CONFIGURATION_ERROR`, 'test/local/gateway'],
      [`gateway-${kind}-AUTHORIZER_CONFIGURATION_ERROR`, 'the store is here: test/local/honesty'],
      [`gateway-${kind}-INTEGRATION_FAILURE`, 'a throttled function: test/local/gateway'],
      [`gateway-${kind}-INTEGRATION_TIMEOUT`, 'a function over its time: test/local/gateway'],
      [`gateway-${kind}-QUOTA_EXCEEDED`, 'fifty thousand calls: test/local/gateway'],
      [`gateway-${kind}-EXPIRED_TOKEN`, inCloud],
      [`gateway-${kind}-WAF_FILTERED`, inCloud],
    ]),
  ),
};

/** Compares an answer to its row of the documentation. */
async function expectAsShown(id: string, answer: Response): Promise<void> {
  const [first = '', second = '', third = ''] = rows.get(id) ?? [];
  if (id.startsWith('page-')) {
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('content-type')).toContain('text/html');
    return;
  }
  if (id.startsWith('authorization-')) {
    const query = new URL(answer.headers.get('location') ?? 'about:blank').searchParams;
    expect(Object.fromEntries(query)).toEqual({
      error: first,
      error_description: expect.stringMatching(/\w/),
      state: 'of-the-app',
      iss: expect.stringMatching(/\/fhir-oauth2\/(dsnp|mapd)$/),
    });
    return;
  }
  expect(answer.headers.get('x-request-id')).toMatch(/\w/);
  const body: unknown = await answer.json();
  if (id.startsWith('fhir-') || id.startsWith('gateway-fhir-')) {
    expect(answer.status).toBe(Number(first));
    const issue = [{ severity: 'error', code: second, diagnostics: third }];
    expect(body).toEqual({ resourceType: 'OperationOutcome', issue });
    return;
  }
  if (id.startsWith('gateway-oauth-')) {
    expect(answer.status).toBe(Number(first));
    expect(body).toEqual({ error: second, error_description: third });
    return;
  }
  expect(first.split(', ')).toContain(String(answer.status));
  expect(body).toEqual({ error: second, error_description: expect.stringMatching(/\w/) });
}

describe('a request over 10 MB', () => {
  it('is answered as the page says, in none of the forms', async () => {
    for (const url of [`${base()}${patient()}`, machineToken()]) {
      const answer = await localFetch(url, { method: 'POST', body: 'x'.repeat(11 * 1024 * 1024) });
      expect(answer.status).toBe(413);
      expect(await answer.json()).toEqual({ message: 'Request Too Long' });
    }
  });
});

describe('each error of the page', () => {
  it.each(Object.keys(ways))('%s is answered as it is shown', async (id) => {
    expect(rows.has(id), 'the page has no such row').toBe(true);
    await expectAsShown(id, (await ways[id]?.()) ?? new Response());
  });

  it('is brought about here, or it is said where', () => {
    // The reasons of the log of calls explain errors that have rows of their own; test/catalog/oauth/token-refusals.test.ts holds them.
    const ofApis = [...rows.keys()].filter((id) => id.includes('-') && !id.startsWith('reason-'));
    const told = [...Object.keys(ways), ...Object.keys(elsewhere)];
    expect(ofApis.filter((id) => !told.includes(id))).toEqual([]);
    expect(ofApis.length).toBeGreaterThan(45);
  });
});
