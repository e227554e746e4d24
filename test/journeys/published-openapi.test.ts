import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import { directoryTypes } from '../../lambdas/catalog/fhir/directory-types.ts';
import { patientAccessTypes, servedResource } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { payerKeysPath } from '../../lambdas/catalog/oauth/token-issuer.ts';
import { payerRequests } from '../abuse/payer-requests.ts';
import type { App } from './app-calls.ts';
import {
  decide,
  localFetch,
  memberOf,
  originsOf,
  patiently,
  redirectUri,
  register,
  registrationOf,
} from './journey.ts';
import { payerHeaders, payerHoldings, registerPayer } from './payer-client.ts';
import { type PublishedApi, publishedApi } from './published-openapi.ts';

/** Compares the system's answers to the OpenAPI document it publishes: every operation, and the errors that developers meet most. */

/** A line of business whose first member has a resource of every type. */
const lob = 'EGWP';
let api: PublishedApi;
let app: App;
const found: string[] = [];

beforeAll(async () => {
  api = await publishedApi('openapi.json');
  app = await register('sandbox', registrationOf(lob, { pkceRequired: false }));
});

async function call(url: string, init: RequestInit = {}): Promise<Record<string, string>> {
  const answer = await patiently(() => localFetch(url, { redirect: 'manual', ...init }));
  const text = await answer.text();
  const header = (name: string) => answer.headers.get(name) ?? undefined;
  found.push(...api.complaints(init.method ?? 'GET', url, { status: answer.status, header, text }));
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {};
}

const basic = () => `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;
const post = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  call(url, { method: 'POST', headers, body: new URLSearchParams(form) });

const endpoints = () => authorizationServerEndpoints(originsOf('sandbox'), lob);
const base = () => fhirBase(originsOf('sandbox'), lob, 'patient-access');
const query = (changes: Record<string, string> = {}) => ({
  client_id: app.clientId,
  response_type: 'code',
  redirect_uri: redirectUri,
  scope: 'openid fhirUser offline_access patient/*.read',
  state: 'of-the-app',
  aud: base(),
  ...changes,
});

async function authorization(): Promise<Record<string, string>> {
  const { authorization: url, token } = endpoints();
  const asked = `${url}?${new URLSearchParams(query())}`;
  await call(asked);
  await post(url, query());
  await call(`${url}?${new URLSearchParams(query({ response_type: 'token' }))}`);
  await call(`${url}?${new URLSearchParams(query({ client_id: randomUUID() }))}`);
  const back = await decide(asked, memberOf('sandbox', lob));
  const code = back.searchParams.get('code') ?? '';
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const first = await call(token, {
    method: 'POST',
    headers: { authorization: basic(), 'content-type': 'application/json' },
    body: JSON.stringify(exchange),
  });
  await post(token, { ...exchange, code: 'x' }, { authorization: basic() });
  await post(token, exchange, { authorization: 'Basic bm9ib2R5Ong=' });
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' };
  return await post(token, refresh, { authorization: basic() });
}

async function reads({ access_token = '', patient = '' }: Record<string, string>): Promise<void> {
  const headers = { authorization: `Bearer ${access_token}`, 'x-api-subscription-key': app.subscriptionKey };
  const read = (changes: Record<string, string>, id = patient) =>
    call(`${base()}/Patient/${id}`, { headers: { ...headers, ...changes } });
  await read({ accept: 'application/json' });
  const { meta } = await read({ accept: 'application/fhir+json' });
  const { versionId } = meta as unknown as { versionId: string };
  await read({ 'if-none-match': `W/"${versionId}"` });
  await read({ accept: 'text/xml' });
  await read({}, randomUUID());
  await read({ authorization: 'Bearer e30.e30.x' });
  await read({ 'x-api-subscription-key': 'k'.repeat(40) });
  await call(`${base()}/Patient/${patient}`);
  const older = base().replace('/extfhirpatientaccess/v1', '/v1/fhir/patientaccess');
  await call(`${older}/Patient/${patient}`, { headers });
}

async function searches(tokens: Record<string, string>): Promise<void> {
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    'x-api-subscription-key': app.subscriptionKey,
  };
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const get = (path: string, changes: Record<string, string> = {}) =>
    call(`${base()}${path}`, { headers: { ...headers, ...changes } });
  for (const type of patientAccessTypes) {
    if (!servedResource(type).interactions.some((interaction) => interaction === 'search-type')) continue;
    await get(`/${type}?_count=2&_include=${type === 'Patient' ? '' : `${type}:*`}`);
    await get(`/${type}?colour=red`, { accept: 'application/fhir+json' });
    await get(`/${type}?colour=red`, { prefer: 'handling=strict' });
    await call(`${base()}/${type}/_search`, { method: 'POST', headers: form, body: '_count=1' });
  }
  const coverage = `${base()}/Coverage/_search`;
  await call(coverage, { method: 'POST', headers: form, body: '_id=%' });
  await call(coverage, { method: 'POST', headers: form, body: `_id=${'x'.repeat(8200)}` });
  await call(coverage, { method: 'POST', headers: { ...form, 'content-type': 'text/plain' }, body: '_id=x' });
  const all = await get(`/Patient/${tokens.patient}/$everything?_count=100`);
  await get(`/Patient/${randomUUID()}/$everything`);
  await get(`/Patient/${tokens.patient}/$nothing`);
  await get(`/Patient/${tokens.patient}/$everything?_since=then`);
  const invoke = (body: string, type = 'application/fhir+json') =>
    call(`${base()}/Patient/${tokens.patient}/$everything`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
    });
  await invoke('{"resourceType":"Parameters","parameter":[{"name":"_count","valueInteger":1}]}');
  await invoke('{"resourceType":"Bundle"}');
  await invoke(' '.repeat(8193));
  await invoke('{}', 'text/plain');
  await get(`/DocumentReference/$docref?patient=${tokens.patient}`);
  await get('/DocumentReference/$docref');
  await call(`${base()}/DocumentReference/$docref`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/fhir+json' },
    body: `{"resourceType":"Parameters","parameter":[{"name":"patient","valueId":"${tokens.patient}"}]}`,
  });
  await get(`/Patient/${tokens.patient}?_elements=name`);
  await get(`/Patient/${tokens.patient}?_summary=count`);
  const entries = (all as unknown as { readonly entry: readonly { readonly fullUrl: string }[] }).entry;
  for (const type of patientAccessTypes) {
    const url =
      entries.map(({ fullUrl }) => fullUrl).find((each) => each.includes(`/${type}/`)) ??
      (await firstOf(tokens.patient ?? '', type, headers));
    if (url !== undefined) await call(url, { headers });
    await get(`/${type}/${randomUUID()}`);
  }
}

/** The first resource of a type in the result of `$everything`. */
async function firstOf(patient: string, type: string, headers: Record<string, string>) {
  const found = await call(`${base()}/Patient/${patient}/$everything?_type=${type}&_count=1`, { headers });
  return (found as unknown as { readonly entry?: readonly { readonly fullUrl: string }[] }).entry?.[0]
    ?.fullUrl;
}

async function discovery(): Promise<void> {
  const { auth, token } = originsOf('sandbox');
  for (const url of [
    `${auth}/fhir-oauth2/egwp/.well-known/openid-configuration`,
    `${auth}/.well-known/openid-configuration/fhir-oauth2/egwp`,
    `${auth}/.well-known/oauth-authorization-server/fhir-oauth2/egwp`,
    `${auth}/.well-known/oauth-authorization-server/fhir-oauth2/nobody`,
    endpoints().jwks,
    `${auth}${payerKeysPath}`,
    `${token}/.well-known/oauth-authorization-server`,
    `${token}/.well-known/jwks.json`,
    `${base()}/.well-known/smart-configuration`,
    `${base()}/.well-known/user-access-brands`,
    `${fhirBase(originsOf('sandbox'), lob, 'payer-access')}/.well-known/davinci-configuration`,
    `${fhirBase(originsOf('sandbox'), lob, 'payer-access')}/.well-known/payer-index`,
  ]) {
    await call(url);
  }
  for (const name of ['patient-access', 'payer-access', 'provider-directory'] as const) {
    const at = fhirBase(originsOf('sandbox'), lob, name);
    for (const path of ['/fhir/metadata', '/metadata', '']) await call(`${at}${path}`);
    await call(`${at}/metadata`, { headers: { accept: 'application/fhir+json' } });
    await call(`${at}/metadata`, { headers: { accept: 'text/xml' } });
  }
  await call(`${fhirBase(originsOf('sandbox'), lob, 'payer-access')}/.well-known/smart-configuration`);
}

interface DirectoryEntry {
  readonly fullUrl: string;
  readonly resource: { readonly meta: { readonly versionId: string } };
}

/** Calls each path of the synthetic directory after it is published, since the system loads it in the background. */
async function directory(): Promise<void> {
  const at = fhirBase(originsOf('sandbox'), lob, 'provider-directory');
  const headers = { 'x-api-subscription-key': app.subscriptionKey };
  await expect
    .poll(async () => (await localFetch(`${at}/Location`, { headers })).status, {
      timeout: 60_000,
      interval: 500,
    })
    .toBe(200);
  for (const type of directoryTypes) {
    const page = await call(`${at}/${type}?_count=1`, { headers });
    const [first] = (page as unknown as { readonly entry: readonly DirectoryEntry[] }).entry;
    await call(first?.fullUrl ?? '', { headers });
    await call(`${first?.fullUrl}/_history/${first?.resource.meta.versionId}`, { headers });
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    await call(`${at}/${type}/_search`, { method: 'POST', headers: form, body: '_count=1' });
    await call(`${at}/${type}?colour=red`, { headers: { ...headers, prefer: 'handling=strict' } });
    await call(`${at}/${type}/${randomUUID()}`, { headers });
  }
  await call(`${at}/SearchParameter/Practitioner-name`, { headers });
  await call(`${at}/ConceptMap/specialty-words`, { headers });
  const asynchronous = { ...headers, prefer: 'respond-async' };
  await call(`${at}/$bulk-publish`, { headers });
  await call(`${at}/$export`, { headers: asynchronous });
  const manifest = await call(`${at}/public/$bulk-publish`);
  const [file] = (manifest as unknown as { readonly output: readonly { readonly url: string }[] }).output;
  await call(file?.url ?? '');
  const id = file?.url.split('/').at(-3);
  await call(`${at}/public/files/${id}/bulk/nothing.ndjson`);
  await call(`${at}/public/files/gone/bulk/Location-001.ndjson`);
  await call(`${at}/public/$export`, { headers: { prefer: 'respond-async' } });
  await call(`${at}/public/$export`);
  await call(`${at}/public/export/${id}`);
  await call(`${at}/public/plan-finder/H0000/2026/index.json`);
  await call(`${at}/public/plan-finder/H9999/2026/index.json`);
  await call(`${at}/public/truth-report`, { headers: { 'if-none-match': `W/"${id}"` } });
  await call(`${at}/public/truth-report`);
}

/** Calls each operation of Payer Access as a payer with a matched member, and once without a token. */
async function payerAccess(): Promise<void> {
  const at = fhirBase(originsOf('sandbox'), lob, 'payer-access');
  const headers = await payerHeaders(await registerPayer(lob));
  for (const asked of payerRequests(await payerHoldings(at, headers, memberOf('sandbox', lob)))) {
    const { method, path, query, body, headers: own } = asked;
    const url = `${at}/${path}?${new URLSearchParams(query)}`;
    const init = { method, ...(body !== undefined && { body }) };
    await call(url, { ...init, headers: own });
    await call(url, { ...init, headers: { ...own, ...headers } });
  }
  // Searches for shared resources, such as Organization, cover all matched members.
  const left = api.operationIds.filter((id) => !api.succeeded.has(id));
  for (const [, type] of left.map((id) => /^searchMatched(\w+?)(?:ByForm)?$/.exec(id) ?? [])) {
    if (type === undefined) continue;
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    await call(`${at}/${type}?_count=1`, { headers });
    await call(`${at}/${type}/_search`, { method: 'POST', headers: form, body: '_count=1' });
  }
}

it('each answer is as the published OpenAPI document says', async () => {
  await discovery();
  await directory();
  const tokens = await authorization();
  await reads(tokens);
  await searches(tokens);
  const { introspection, revocation, userInfo } = endpoints();
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  await call(userInfo, { headers: bearer });
  await call(userInfo, { method: 'POST', headers: bearer });
  await call(userInfo, { headers: { authorization: 'Bearer e30.e30.x' } });
  await call(userInfo);
  const about = { token: tokens.access_token ?? '' };
  await post(introspection, about, { authorization: basic() });
  await post(revocation, about, { authorization: basic() });
  await post(introspection, about, { authorization: basic() });
  await post(revocation, {}, { authorization: basic() });
  const machine = { grant_type: 'client_credentials', scope: app.machineScope ?? '' };
  const host = `${originsOf('sandbox').token}/token/v2`;
  const key = { 'x-api-subscription-key': app.subscriptionKey };
  await post(host, machine, { ...key, authorization: basic() });
  await post(host, { ...machine, scope: 'x' }, { ...key, authorization: basic() });
  await post(host, machine, key);
  await post(host, machine, { 'x-api-subscription-key': 'k'.repeat(40) });
  await post(host, machine);

  await payerAccess();

  expect(found).toEqual([]);
  expect(api.operationIds.filter((id) => !api.succeeded.has(id))).toEqual([]);
});

it('and an answer that isn’t would be noticed', () => {
  const url = `${originsOf('sandbox').auth}/fhir-oauth2/pub/egwp/userinfo`;
  const complaintsOf = (status: number, text: string, headers: Record<string, string>) =>
    api.complaints('GET', url, { status, text, header: (name) => headers[name.toLowerCase()] });
  const json = { 'content-type': 'application/json', 'x-request-id': 'r1' };
  expect(complaintsOf(200, '{"sub":"s"}', json)).toEqual([]);
  expect(complaintsOf(200, '{"sub":5}', json)).toHaveLength(1);
  expect(complaintsOf(200, '{"sub":"s"}', { ...json, 'content-type': 'text/html' })).toHaveLength(1);
  expect(complaintsOf(200, '{"sub":"s"}', { 'content-type': 'application/json' })).toHaveLength(1);
  expect(complaintsOf(418, '{}', json)).toEqual(['userInfo 418 is not described']);
});
