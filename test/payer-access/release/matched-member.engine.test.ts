import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import {
  applicationKey,
  grantKey,
  matchedPatientKey,
  memberIdKey,
  patientAuditPartition,
} from '../../../lambdas/platform/table/table-keys.ts';
import { functionEnvironment, gatewayEvent } from '../../fhir/gateway-event.ts';
import { claim, household, type Resource } from '../../fhir/search/world.ts';
import { startTestEngine } from '../../support/engine.ts';
import { refusal, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { storeResources } from '../../support/stored-resources.ts';
import { consent, organization } from '../match-samples.ts';

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
/** A text of the member's resources, which no refusal may contain. */
const secret = 'Hidden-7';

const engine = await startTestEngine();
const proxy = await startFaultyProxy(engine.endpoint);
const table = createSignedTable(engine);
for (const [name, value] of Object.entries(functionEnvironment(proxy.endpoint, engine.tableName))) {
  vi.stubEnv(name, value);
}
vi.spyOn(console, 'log').mockImplementation(() => {});
const { handler } = await import('../../../lambdas/payer-access/payer-access.handler.ts');
const application = { state: 'active', products: ['payer-access'], meteringKey: 'm', organization };
for (const clientId of ['payer-1', 'payer-2']) {
  await table.put({ ...applicationKey(lob, clientId), ...application, clientId });
}
await table.put({ ...applicationKey(lob, 'suspended'), ...application, state: 'suspended' });
const changed = [{ ...organization[0], value: '9876543210' }];
await table.put({ ...applicationKey(lob, 'changed'), ...application, organization: changed });
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await proxy.stop();
  await engine.stop();
});

/** Loads a member's record with the grant of a match. */
async function member(
  patientId: string,
  grant: object = {},
  at: LineOfBusiness = lob,
  claimId = 'claim',
): Promise<void> {
  const label = {
    meta: {
      lastUpdated: '2026-11-20T10:00:00.000Z',
      security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'HIV' }],
    },
  };
  const money = { value: 7, currency: 'USD' };
  const claims = [1, 2, 3].map((number) =>
    claim(`${claimId}-${number}`, {
      billablePeriod: recent,
      disposition: secret,
      payment: { amount: money },
    }),
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

/** A request of each kind about a member. test/abuse/payer-matrix.engine.test.ts has every operation. */
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
        // A member who was never matched and one who was get the same answer.
        if (status === 404) expect(answer.body).toBe(answers.get(status) ?? answer.body);
        answers.set(status, answer.body);
      }
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

/** Creates a payer with matched members, whose claims have different IDs. */
async function payerWith(clientId: string, patientIds: readonly string[]): Promise<void> {
  const application = { state: 'active', products: ['payer-access'], meteringKey: 'm', organization };
  await table.put({ ...applicationKey(lob, clientId), ...application, clientId });
  for (const [at, patientId] of patientIds.entries()) {
    await member(patientId, { clientId }, lob, `${patientId}-claim`);
    await list(clientId, patientId, at);
  }
}

async function list(clientId: string, patientId: string, at = 0): Promise<void> {
  const matchedAt = `2026-11-20T10:00:0${at % 10}.000Z`;
  await table.put({
    ...matchedPatientKey(lob, clientId, patientId),
    ...{ patientId, matchedAt, ttl: Math.floor(Date.now() / 1000) + 3600 },
  });
}

describe('the matched members of a payer', () => {
  it('are its compartment: read by ID, and searched without naming a member, with the audit of each', async () => {
    await payerWith('payer-3', ['a1', 'a2']);
    await member('a3', {}, lob, 'a3-claim');
    const as = { authorizer: { clientId: 'payer-3' } };
    const found = await call('ExplanationOfBenefit?_count=100', as);
    expect(found.statusCode).toBe(200);
    const own = ['a1', 'a2'].flatMap((id) => [1, 2, 3].map((at) => `ExplanationOfBenefit/${id}-claim-${at}`));
    expect(namesIn(found).sort()).toEqual(own);
    expect(found.body).not.toMatch(/USD|"old"|labeled/);
    for (const [address, names] of [
      ['Patient', ['Patient/a1', 'Patient/a2']],
      ['Patient?identifier=nobody', []],
      ['ExplanationOfBenefit?_id=a2-claim-2', ['ExplanationOfBenefit/a2-claim-2']],
      ['ExplanationOfBenefit?_id=a3-claim-2', []],
      ['ExplanationOfBenefit?_id=labeled', []],
      ['ExplanationOfBenefit?patient=a1,a3&_id=a1-claim-1,a3-claim-1', ['ExplanationOfBenefit/a1-claim-1']],
      ['Organization?_id=clinic', ['Organization/clinic']],
    ] as const) {
      const answer = await call(address, as);
      expect([address, namesIn(answer).sort()]).toEqual([address, names]);
    }
    for (const [address, status] of [
      ['ExplanationOfBenefit/a2-claim-1', 200],
      ['Organization/clinic', 200],
      ['ExplanationOfBenefit/old', 404],
      ['ExplanationOfBenefit/labeled', 404],
      ['ExplanationOfBenefit/a3-claim-1', 404],
      ['ExplanationOfBenefit/nothing', 404],
    ] as const) {
      expect([address, (await call(address, as)).statusCode]).toEqual([address, status]);
    }
    const events = await Promise.all(
      ['a1', 'a2', 'a3'].map(async (id) => (await table.query({ pk: patientAuditPartition(lob, id) })).items),
    );
    for (const [at, id] of ['a1', 'a2'].entries()) {
      const all = events[at]?.find(({ resources }) => String(resources).includes(`${id}-claim-3`));
      expect(all).toMatchObject({ outcome: 'disclosed', clientId: 'payer-3', grantId: 'g1' });
      expect(all?.resources).toHaveLength(3);
    }
    expect(events[2]).toEqual([]);
    const { items } = await table.query({ pk: `AUDIT#${lob}#CLIENT#payer-3` });
    expect(items).toContainEqual(expect.objectContaining({ outcome: 'disclosed', resource: 'Patient' }));
  });

  it('are paged together, and no other payer’s member or ended consent is among them', async () => {
    await payerWith('payer-4', ['b1', 'b2']);
    await member('b3', { clientId: 'payer-4', state: 'revoked' }, lob, 'b3-claim');
    await list('payer-4', 'b3');
    // The payer's list names the member, but the grant decides.
    await member('b4', {}, lob, 'b4-claim');
    await list('payer-4', 'b4');
    const as = { authorizer: { clientId: 'payer-4' } };
    const names: string[] = [];
    let address: string | undefined = 'ExplanationOfBenefit?_count=2';
    while (address !== undefined) {
      const page = await call(address, as);
      names.push(...namesIn(page));
      const links: { relation: string; url: string }[] = JSON.parse(page.body).link;
      const next = links.find(({ relation }) => relation === 'next')?.url;
      address = next?.slice(next.indexOf('ExplanationOfBenefit'));
    }
    expect(names.toSorted()).toEqual(
      ['b1', 'b2'].flatMap((id) => [1, 2, 3].map((at) => `ExplanationOfBenefit/${id}-claim-${at}`)),
    );
    for (const id of ['b3', 'b4']) {
      expect((await call(`ExplanationOfBenefit/${id}-claim-1`, as)).statusCode).toBe(404);
    }
  });

  it('beyond twenty are searched by name, by ID or by the member’s identifier', async () => {
    await payerWith('payer-5', ['c1']);
    for (let at = 0; at < 20; at += 1) await list('payer-5', `more-${at}`);
    await table.put({ ...memberIdKey(lob, 'C-1'), patientId: 'c1' });
    await table.put({ ...memberIdKey(lob, 'M-1'), patientId: 'm1' });
    const as = { authorizer: { clientId: 'payer-5' } };
    const answer = await call('ExplanationOfBenefit', as);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('Name the member: patient=Patient/123.');
    expect(namesIn(await call('ExplanationOfBenefit?_id=c1-claim-1', as))).toEqual([
      'ExplanationOfBenefit/c1-claim-1',
    ]);
    expect((await call('ExplanationOfBenefit/c1-claim-1', as)).statusCode).toBe(200);
    expect((await call('Patient', as)).statusCode).toBe(400);
    expect((await call('Patient?identifier=C-1', as)).statusCode).toBe(200);
    expect(namesIn(await call('Patient?identifier=M-1', as))).toEqual([]);
  });
});
