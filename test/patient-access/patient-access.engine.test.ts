import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiHandler } from '../../lambdas/platform/http/pipeline.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { grantKey, patientResourceKey } from '../../lambdas/platform/table/table-keys.ts';
import { type EventParts, functionEnvironment, gatewayEvent } from '../fhir/gateway-event.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { type FaultyProxy, refusal, startFaultyProxy } from '../support/faulty-proxy.ts';

const patientPath = '/extfhirpatientaccess/v1/Patient/{id}';
const olderPath = '/v1/fhir/patientaccess/Patient/{id}';
const json = '{ "resourceType": "Patient", "birthDate": "1960-00-00", "name": [{ "family": "Ñandú" }] }';
const grant = { clientId: 'client-1', state: 'active', expiresAt: 4_000_000_000 };
const context = {
  clientId: 'client-1',
  products: 'patient-access',
  grantId: 'grant-1',
  patientId: 'patient-1',
  scope: 'openid patient/Patient.read',
  tokenId: 'token-1',
  tokenExpiresAt: '4000000000',
};

let engine: TestEngine;
let proxy: FaultyProxy;
let table: Table;
let handler: ApiHandler;
const lines: string[] = [];

beforeAll(async () => {
  engine = await startTestEngine();
  proxy = await startFaultyProxy(engine.endpoint);
  table = createSignedTable(engine);
  for (const [name, value] of Object.entries(functionEnvironment(proxy.endpoint, engine.tableName))) {
    vi.stubEnv(name, value);
  }
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
  ({ handler } = await import('../../lambdas/patient-access/patient-access.handler.ts'));
  for (const id of ['patient-1', 'patient-2']) {
    await table.put({
      ...patientResourceKey('DSNP', id, 'Patient', id),
      json,
      fhirJson: '{"resourceType":"Patient","birthDate":"1960"}',
      versionId: '7',
      lastUpdated: '2026-11-20T10:00:00.123+00:00',
    });
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await proxy.stop();
  await engine.stop();
});
beforeEach(async () => {
  proxy.plan();
  lines.length = 0;
  await table.put({ ...grantKey('DSNP', 'patient-1', 'grant-1'), ...grant });
});

const read = (parts: Partial<EventParts> = {}): Promise<APIGatewayProxyResult> =>
  handler(gatewayEvent({ resource: patientPath, id: 'patient-1', authorizer: context, ...parts }));
const events = async () => (await table.query({ pk: 'AUDIT#DSNP#PATIENT#patient-1' })).items;

describe('the Patient Access function', () => {
  it('sends the stored Patient byte for byte, in one round trip beside one audit write', async () => {
    const before = (await events()).length;
    proxy.plan();
    const answer = await read({ headers: { 'X-Request-Id': 'mine-1' } });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(json);
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/json',
      ETag: 'W/"7"',
      'Last-Modified': 'Fri, 20 Nov 2026 10:00:00 GMT',
      'Cache-Control': 'private, no-store',
      'X-Request-Id': 'mine-1',
      'Access-Control-Allow-Origin': '*',
    });
    expect(answer.headers).not.toHaveProperty('Deprecation');
    const operations = proxy.calls
      .map((body) => ('RequestItems' in JSON.parse(body) ? 'batch' : 'put'))
      .sort();
    expect(operations).toEqual(['batch', 'put']);
    const after = await events();
    expect(after).toHaveLength(before + 1);
    expect(after.at(-1)).toMatchObject({
      action: 'Patient.read',
      outcome: 'disclosed',
      actor: 'client-1',
      requestId: 'gateway-request-1',
      clientRequestId: 'mine-1',
      resource: 'Patient/patient-1',
    });
  });

  it('sends valid FHIR for application/fhir+json', async () => {
    const answer = await read({ headers: { Accept: 'application/fhir+json' } });
    expect(answer.headers).toMatchObject({ 'Content-Type': 'application/fhir+json' });
    expect(JSON.parse(answer.body)).toMatchObject({ birthDate: '1960' });
  });

  it('answers 304 without a body to who has the version', async () => {
    const answer = await read({ headers: { 'If-None-Match': 'W/"7"' } });
    expect([answer.statusCode, answer.body]).toEqual([304, '']);
    expect(answer.headers).toMatchObject({ ETag: 'W/"7"' });
  });

  it('answers HEAD as it does GET, and records it alike', async () => {
    const headers = { 'X-Request-Id': 'mine-2' };
    const [got, asked] = [await read({ headers }), await read({ method: 'HEAD', headers })];
    expect([asked.statusCode, asked.headers]).toEqual([200, got.headers]);
    const recorded = (await events()).filter(({ clientRequestId }) => clientRequestId === 'mine-2');
    expect(recorded.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
      Array(2).fill('Patient.read disclosed'),
    );
    expect((await read({ method: 'HEAD', id: 'patient-2' })).statusCode).toBe(404);
  });

  it('answers the same, byte for byte, for another member’s id, an unknown one and one that is none', async () => {
    const answers = await Promise.all(
      ['patient-2', 'patient-3', '..%2Fpatient-2', ''].map((id) => read({ id })),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(answer).toEqual(answers[0]);
    }
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'not-found' }],
    });
  });

  it('touches no other partition for another member’s id', async () => {
    await read({ id: 'patient-2' });
    for (const body of proxy.calls) expect(body).not.toMatch(/DSNP#(PATIENT|GRANT)#patient-2/);
  });

  it('refuses the token on the call after its grant was revoked', async () => {
    expect((await read()).statusCode).toBe(200);
    await table.update({
      key: grantKey('DSNP', 'patient-1', 'grant-1'),
      expression: 'SET #state = :revoked',
      condition: 'attribute_exists(pk)',
      names: { '#state': 'state' },
      values: { ':revoked': 'revoked' },
    });
    const answer = await read();
    expect(answer.statusCode).toBe(401);
    expect(answer.headers).toMatchObject({ 'WWW-Authenticate': 'Bearer error="invalid_token"' });
    expect(answer.body).not.toContain('Ñandú');
    expect((await events()).at(-1)).toMatchObject({ outcome: 'refused', reason: 'grant_revoked' });
  });

  it.each([
    ['an expired token behind a cached policy', { ...context, tokenExpiresAt: '1' }, 401],
    ['no product', { ...context, products: '' }, 403],
    ['no scope', { ...context, scope: 'openid' }, 403],
    [
      'a machine’s token',
      {
        clientId: 'client-1',
        products: 'patient-access',
        scope: 'x',
        tokenId: 't',
        tokenExpiresAt: '4000000000',
      },
      403,
    ],
    ['no client, should the gateway let it pass', { ...context, clientId: undefined }, 403],
    ['no authorizer at all', {}, 403],
  ])('refuses %s with an OperationOutcome', async (_what, authorizer, status) => {
    const answer = await read({ authorizer: authorizer as Record<string, string> });
    expect(answer.statusCode).toBe(status);
    expect(JSON.parse(answer.body).resourceType).toBe('OperationOutcome');
    // Nothing is read. A refusal for a known grant and client is recorded in the audit.
    expect(proxy.calls.filter((body) => 'RequestItems' in JSON.parse(body))).toEqual([]);
    const decided = 'grantId' in authorizer && authorizer.clientId !== undefined;
    expect(proxy.calls).toHaveLength(decided ? 1 : 0);
  });

  it('refuses a form it doesn’t send', async () => {
    expect((await read({ headers: { Accept: 'application/fhir+xml' } })).statusCode).toBe(406);
    expect((await read({ query: { _format: 'xml' } })).statusCode).toBe(406);
    expect((await read({ query: { _format: 'json' }, headers: { Accept: 'text/html' } })).statusCode).toBe(
      200,
    );
  });

  it('answers at the older path, and names its successor', async () => {
    const answer = await read({ resource: olderPath });
    expect(answer.body).toBe(json);
    expect(answer.headers).toMatchObject({
      Deprecation: '@1795132800',
      Link: '<https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1/Patient/patient-1>; rel="successor-version"',
    });
  });

  it.each(['a>b', 'a\r\nb', 'half \ud800'])('names no successor of %j, which is no id', async (id) => {
    const answer = await read({ resource: olderPath, id });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers).toMatchObject({ Deprecation: '@1795132800' });
    expect(answer.headers).not.toHaveProperty('Link');
  });

  it.each(['PutItem', 'BatchGetItem'])('gives nothing out while %s fails', async (operation) => {
    proxy.breakEvery(operation, refusal('InternalServerError', 500));
    const answer = await read();
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({ 'Retry-After': '1' });
    expect(answer.body).not.toContain('Patient');
    expect(lines).toHaveLength(1);
  });

  it('gives the Patient out though the audit’s first answer was lost', async () => {
    proxy.plan('answer-lost', 'answer-lost');
    expect((await read()).statusCode).toBe(200);
  });

  it('words a defect in a constant body and logs its name only', async () => {
    proxy.breakEvery('BatchGetItem', refusal('ValidationException'));
    const answer = await read();
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toMatch(/Validation|dynamo|environment/i);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/patient-1|grant-1/);
  });

  it('has nothing at an unknown path and no other method', async () => {
    expect((await read({ resource: '/extfhirpatientaccess/v1/Claim/{id}' })).statusCode).toBe(404);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const before = await events();
      const refused = await handler(gatewayEvent({ resource: patientPath, method }));
      expect([refused.statusCode, refused.headers?.Allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(JSON.parse(refused.body).issue[0].code).toBe('not-supported');
      expect(await events()).toEqual(before);
    }
  });

  it.each(['/fhir/metadata', '/metadata', ''])('describes itself at %j to anybody', async (suffix) => {
    const resource = `/extfhirpatientaccess/v1${suffix}`;
    const answer = await handler(gatewayEvent({ resource }));
    expect(answer.headers).toMatchObject({ 'Content-Type': 'application/fhir+json' });
    expect(JSON.parse(answer.body)).toMatchObject({
      resourceType: 'CapabilityStatement',
      implementation: { url: 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1' },
    });
    expect((await handler(gatewayEvent({ resource, headers: { Accept: 'text/html' } }))).statusCode).toBe(
      406,
    );
  });

  it('tells a SMART app where its authorization server is', async () => {
    const resource = '/extfhirpatientaccess/v1/.well-known/smart-configuration';
    const answer = await handler(gatewayEvent({ resource, headers: { Accept: 'text/html' } }));
    expect(answer.headers).toMatchObject({ 'Content-Type': 'application/json' });
    expect(JSON.parse(answer.body)).toMatchObject({
      issuer: 'https://auth.sandbox.example.org/fhir-oauth2/dsnp',
      code_challenge_methods_supported: ['S256'],
      user_access_brand_bundle:
        'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1/.well-known/user-access-brands',
    });
  });

  it('publishes the plan’s brand with its endpoint, and does not send it again unchanged', async () => {
    const resource = '/extfhirpatientaccess/v1/.well-known/user-access-brands';
    const { headers = {}, body } = await handler(gatewayEvent({ resource }));
    expect(headers).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      ETag: expect.stringMatching(/^W\/"/),
    });
    const { type, entry } = JSON.parse(body);
    expect(type).toBe('collection');
    const [organization, endpoint] = entry as { fullUrl: string; resource: Record<string, unknown> }[];
    expect(endpoint?.resource).toMatchObject({
      resourceType: 'Endpoint',
      address: 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1',
    });
    expect(organization?.resource).toMatchObject({ endpoint: [{ reference: endpoint?.fullUrl }] });
    const again = { resource, headers: { 'If-None-Match': String(headers.ETag) } };
    expect(await handler(gatewayEvent(again))).toMatchObject({ statusCode: 304, body: '' });
    expect((await handler(gatewayEvent({ resource, headers: { 'If-None-Match': '"x"' } }))).statusCode).toBe(
      200,
    );
  });
});
