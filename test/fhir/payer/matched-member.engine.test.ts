import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ApiHandler } from '../../../lambdas/http/pipeline.ts';
import { applicationKey, grantKey, patientAuditPartition } from '../../../lambdas/storage/table-keys.ts';
import { createSignedTable } from '../../../lambdas/table/signed-table.ts';
import type { Table } from '../../../lambdas/table/table.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { type FaultyProxy, refusal, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { storeResources } from '../../support/stored-resources.ts';
import { functionEnvironment, gatewayEvent } from '../gateway-event.ts';
import { claim, household, type Resource } from '../search/world.ts';
import { consent, organization } from './match-samples.ts';

const lob: LineOfBusiness = 'DSNP';
const path = '/extfhirpayeraccess/v1';
const context = {
  clientId: 'payer-1',
  products: 'payer-access',
  scope: 'sandbox-resource/.default system/*.rs',
  tokenExpiresAt: '4000000000',
};
const year = new Date().getUTCFullYear();
const period = { start: `${year - 1}-01-01`, end: `${year + 1}-12-31` };
const valid = { ...consent, provision: { ...consent.provision, period } };
const recent = { start: `${year}-01-01`, end: `${year}-01-02` };
/** A text in the member's resources: no refusal may have it. */
const secret = 'Hidden-7';

let engine: TestEngine;
let proxy: FaultyProxy;
let table: Table;
let handler: ApiHandler;

beforeAll(async () => {
  engine = await startTestEngine();
  proxy = await startFaultyProxy(engine.endpoint);
  table = createSignedTable(engine);
  for (const [name, value] of Object.entries(functionEnvironment(proxy.endpoint, engine.tableName))) {
    vi.stubEnv(name, value);
  }
  vi.spyOn(console, 'log').mockImplementation(() => {});
  ({ handler } = await import('../../../lambdas/functions/payer-access.handler.ts'));
  const application = { state: 'active', products: ['payer-access'], meteringKey: 'm', organization };
  for (const clientId of ['payer-1', 'payer-2']) {
    await table.put({ ...applicationKey(lob, clientId), ...application, clientId });
  }
  await table.put({ ...applicationKey(lob, 'suspended'), ...application, state: 'suspended' });
  const changed = [{ ...organization[0], value: '9876543210' }];
  await table.put({ ...applicationKey(lob, 'changed'), ...application, organization: changed });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await proxy.stop();
  await engine.stop();
});

/** Loads the record of a member, with the grant of a match. */
async function member(patientId: string, grant: object = {}, at: LineOfBusiness = lob): Promise<void> {
  const label = {
    meta: {
      lastUpdated: '2026-11-20T10:00:00.000Z',
      security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'HIV' }],
    },
  };
  const money = { value: 7, currency: 'USD' };
  const claims = [1, 2, 3].map((number) =>
    claim(`claim-${number}`, { billablePeriod: recent, disposition: secret, payment: { amount: money } }),
  );
  const version = { versionId: '1', lastUpdated: '2026-11-20T10:00:00.000Z' };
  const resources: readonly Resource[] = [
    ...household,
    ...claims,
    claim('old', { billablePeriod: { start: '2010-01-01', end: '2010-01-02' } }),
    { ...claims[0], ...label, id: 'labeled' } as Resource,
  ].map((resource) => ({ ...resource, language: 'en' }));
  const own = resources.map((resource) => {
    const named = JSON.stringify(resource).replaceAll('Patient/p1', `Patient/${patientId}`);
    const text = resource === resources[0] ? named.replaceAll('"p1"', `"${patientId}"`) : named;
    return {
      resourceType: resource.resourceType,
      id: JSON.parse(text).id,
      ...version,
      json: text.replaceAll('Müller', secret),
    };
  });
  await storeResources(table, at, patientId, own);
  const until = Math.floor(Date.now() / 1000) + 3600;
  await table.put({
    ...grantKey(at, patientId, 'g1'),
    ...{
      grantId: 'g1',
      clientId: 'payer-1',
      patientId,
      sub: 'payer-1',
      scope: 'patient/*.rs',
      state: 'active',
    },
    ...{ createdAt: '2026-11-20T10:00:00.000Z', expiresAt: until, consentPolicy: 'regular' },
    consent: JSON.stringify(valid),
    ...grant,
  });
}

function call(
  address: string,
  {
    authorizer = {},
    headers = {},
  }: { authorizer?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<APIGatewayProxyResult> {
  const [asked = '', query = ''] = address.split('?');
  const isForm = asked.endsWith('/_search');
  const event = gatewayEvent({
    resource: `${path}/{proxy+}`,
    method: isForm ? 'POST' : 'GET',
    ...(isForm ? { body: query } : { query: Object.fromEntries(new URLSearchParams(query)) }),
    headers: { ...(isForm && { 'Content-Type': 'application/x-www-form-urlencoded' }), ...headers },
    authorizer: { ...context, ...authorizer },
  });
  return handler({ ...event, pathParameters: { proxy: asked } });
}

/** A request of each kind on a member. Every operation: test/abuse/payer-matrix.engine.test.ts. */
const operations = (id: string) => [
  `Patient/${id}`,
  `Patient/${id}/$everything`,
  `ExplanationOfBenefit?patient=${id}`,
  `Coverage/_search?patient=${id}`,
];
const namesIn = ({ body }: APIGatewayProxyResult) =>
  (JSON.parse(body).entry ?? []).map(
    ({ resource }: { resource: Resource }) => `${resource.resourceType}/${resource.id}`,
  );

describe('a matched member', () => {
  it('is read, searched by GET and POST, and exported page by page, as the rules release it; each in the audit', async () => {
    await member('m1');
    const read = await call('Patient/m1');
    expect([read.statusCode, JSON.parse(read.body).id]).toEqual([200, 'm1']);
    for (const address of [
      'ExplanationOfBenefit?patient=m1',
      'ExplanationOfBenefit/_search?patient=Patient/m1',
    ]) {
      const found = await call(address);
      expect(found.statusCode).toBe(200);
      expect(namesIn(found).sort()).toEqual(
        [1, 2, 3].map((number) => `ExplanationOfBenefit/claim-${number}`),
      );
      expect(found.body).not.toMatch(/USD|payment/);
    }
    const first = await call('ExplanationOfBenefit?patient=m1&_count=2');
    const next = JSON.parse(first.body).link.find(
      ({ relation }: { relation: string }) => relation === 'next',
    ).url;
    const second = await call(next.slice(next.indexOf('ExplanationOfBenefit')));
    expect([...namesIn(first), ...namesIn(second)]).toHaveLength(3);
    const all = await call('Patient/m1/$everything?_count=100');
    expect(namesIn(all)).toContain('Organization/clinic');
    expect(all.body).not.toMatch(/"old"|labeled|USD/);
    const { items } = await table.query({ pk: patientAuditPartition(lob, 'm1') });
    expect(items).toHaveLength(6);
    for (const item of items)
      expect(item).toMatchObject({ outcome: 'disclosed', clientId: 'payer-1', grantId: 'g1' });
  });

  it('is served by the policy and the scopes of the newest match', async () => {
    await member('m2', { consentPolicy: 'sensitive', scope: 'patient/ExplanationOfBenefit.rs' });
    expect(namesIn(await call('ExplanationOfBenefit?patient=m2'))).toContain('ExplanationOfBenefit/labeled');
    expect((await call('Patient/m2')).statusCode).toBe(404);
    const scope = 'system/Coverage.rs';
    expect((await call('ExplanationOfBenefit?patient=m2', { authorizer: { scope } })).statusCode).toBe(403);
  });

  it('is in no response to another payer, after the consent, of a suspended application or another line of business', async () => {
    const past = Math.floor(Date.now() / 1000) - 1;
    const ended = {
      ...valid,
      provision: { ...valid.provision, period: { start: '2020-01-01', end: '2020-12-31' } },
    };
    await member('living');
    await member('revoked', { state: 'revoked' });
    await member('expired', { expiresAt: past });
    await member('ended', { consent: JSON.stringify(ended) });
    await member('by-app', { consent: undefined });
    await member('elsewhere', {}, 'MAPD');
    const cases: readonly (readonly [string, Record<string, string>, number])[] = [
      ...['revoked', 'expired', 'ended', 'by-app', 'elsewhere', 'nobody'].map((id) => [id, {}, 404] as const),
      ['living', { clientId: 'payer-2' }, 404],
      ['living', { clientId: 'changed' }, 404],
      ['living', { clientId: 'suspended' }, 403],
      ['living', { clientId: 'unknown' }, 403],
      ['living', { products: 'patient-access' }, 403],
      ['living', { scope: 'patient/*.rs' }, 403],
      ['living', { tokenExpiresAt: '1' }, 401],
    ];
    const answers = new Map<number, string>();
    for (const [id, authorizer, status] of cases) {
      for (const address of operations(id)) {
        const answer = await call(address, { authorizer });
        expect([address, authorizer, answer.statusCode]).toEqual([address, authorizer, status]);
        expect(answer.body).not.toContain(secret);
        // The same answer for a member that was never matched as for one that was.
        if (status === 404) expect(answer.body).toBe(answers.get(status) ?? answer.body);
        answers.set(status, answer.body);
      }
    }
    for (const address of ['Coverage', 'Coverage?patient=living,other']) {
      const answer = await call(address);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('Name the member: patient=Patient/123.');
    }
  });

  it('costs another payer the same calls as one who does not exist', async () => {
    await member('of-another');
    const work: string[][] = [];
    for (const id of ['of-another', 'nowhere']) {
      for (const address of operations(id)) {
        proxy.plan();
        expect((await call(address, { authorizer: { clientId: 'payer-2' } })).statusCode).toBe(404);
        const kinds = proxy.calls.map((body) => Object.keys(JSON.parse(body)).sort().join());
        work.push(kinds);
      }
    }
    for (const each of work) expect(each).toEqual(work[0]);
  });

  it('is not sent where the audit can’t be written', async () => {
    await member('unrecorded');
    proxy.breakEvery('PutItem', refusal('AccessDeniedException'));
    for (const address of operations('unrecorded')) {
      const answer = await call(address);
      expect(answer.statusCode).toBeGreaterThanOrEqual(500);
      expect(answer.body).not.toContain(secret);
    }
    proxy.plan();
  });
});
