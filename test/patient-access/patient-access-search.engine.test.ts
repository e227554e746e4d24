import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type SyntheticMember, syntheticMembers } from '../../ops/generator/members.ts';
import type { EventParts } from '../fhir/gateway-event.ts';
import { refusal } from '../support/faulty-proxy.ts';
import { base, contextOf, lob, startPatientAccess } from './patient-access-world.ts';

const [member, other] = syntheticMembers('sandbox').filter((each) => each.lob === lob) as [
  SyntheticMember,
  SyntheticMember,
];
const idsOf = (type: string, { resources } = member) =>
  resources.filter(({ resourceType }) => resourceType === type).map(({ id }) => id);
const context = contextOf(member.patientId);

const world = await startPatientAccess();
afterAll(() => world.stop());
const { proxy } = world;
await world.load(member);
await world.load(other);
beforeEach(async () => {
  proxy.plan();
  world.lines.length = 0;
  await world.setGrant(member.patientId, 'active');
});

const call = (resource: string, parts: Partial<EventParts> = {}): Promise<APIGatewayProxyResult> =>
  world.call(resource, { authorizer: context, ...parts });
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const events = async () => (await world.table.query({ pk: `AUDIT#DSNP#PATIENT#${member.patientId}` })).items;
const body = (answer: APIGatewayProxyResult) => JSON.parse(answer.body);
const found = (answer: APIGatewayProxyResult): readonly string[] =>
  (body(answer).entry ?? []).map(
    ({ resource }: { resource: { resourceType: string; id: string } }) =>
      `${resource.resourceType}/${resource.id}`,
  );

describe('the Patient Access function, searched', () => {
  it('sends a page of what is the member’s, in two waits, with one event that names each resource', async () => {
    const before = (await events()).length;
    proxy.plan();
    const answer = await call('/Coverage', { headers: { 'X-Request-Id': 'mine-1' } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Cache-Control': 'private, no-store',
      Vary: 'Accept',
      'X-Request-Id': 'mine-1',
      'Access-Control-Allow-Origin': '*',
    });
    expect(found(answer)).toEqual(idsOf('Coverage').map((id) => `Coverage/${id}`));
    expect(body(answer)).toMatchObject({
      resourceType: 'Bundle',
      type: 'searchset',
      total: idsOf('Coverage').length,
      link: [{ relation: 'self', url: `https://dsnp.api.sandbox.example.org${base}/Coverage` }],
    });
    expect(proxy.calls).toHaveLength(4);
    const after = await events();
    expect(after).toHaveLength(before + 1);
    expect(after.at(-1)).toMatchObject({
      action: 'Coverage.search-type',
      outcome: 'disclosed',
      requestId: 'gateway-request-1',
      clientRequestId: 'mine-1',
      resource: 'Coverage',
      resources: found(answer),
    });
  });

  it('reads parameters of the URL and of a form as one search', async () => {
    const [id = '', another = ''] = idsOf('ExplanationOfBenefit');
    const posted = await call('/ExplanationOfBenefit/_search', {
      method: 'POST',
      query: { _sort: '_id' },
      headers: form,
      body: new URLSearchParams({ _id: `${id},${another}` }).toString(),
    });
    const asked = await call('/ExplanationOfBenefit', { query: { _sort: '_id', _id: `${id},${another}` } });
    expect(found(posted)).toEqual(found(asked));
    expect([...found(posted)].sort()).toEqual(
      [id, another].map((each) => `ExplanationOfBenefit/${each}`).sort(),
    );
    expect(body(posted).link[0].url).toMatch(/\/ExplanationOfBenefit\?_sort=_id&_id=/);
  });

  it('takes the next page’s cursor in a form too', async () => {
    const first = await call('/ExplanationOfBenefit/_search', {
      method: 'POST',
      headers: form,
      body: '_count=3&type=professional',
    });
    const next = new URL(body(first).link[1].url);
    const asked = await call('/ExplanationOfBenefit', { query: Object.fromEntries(next.searchParams) });
    const posted = await call('/ExplanationOfBenefit/_search', {
      method: 'POST',
      headers: form,
      body: next.searchParams.toString(),
    });
    expect(found(posted)).toHaveLength(3);
    expect(found(posted)).toEqual(found(asked));
    expect(found(posted).filter((name) => found(first).includes(name))).toEqual([]);
  });

  it('answers HEAD as it does GET', async () => {
    const [asked, got] = [await call('/Coverage', { method: 'HEAD' }), await call('/Coverage')];
    expect([asked.statusCode, asked.headers]).toEqual([200, got.headers]);
  });

  it.each([
    ['application/json', '{"_id":"x"}', 415, 'not-supported'],
    ['application/x-www-form-urlencoded', '_id=%', 400, 'invalid'],
    ['application/x-www-form-urlencoded', `_id=${'a'.repeat(9000)}`, 413, 'too-long'],
  ])('refuses a body of %s that is no such form: %s', async (type, text, status, code) => {
    proxy.plan();
    const answer = await call('/Coverage/_search', {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: text,
    });
    expect([answer.statusCode, body(answer).issue[0].code]).toEqual([status, code]);
    expect(answer.headers).toMatchObject({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' });
    expect(proxy.calls).toEqual([]);
  });

  it('says with an issue each what is wrong with a search', async () => {
    const query = { _count: 'many', 'service-date': 'soon' };
    const answer = await call('/ExplanationOfBenefit', { query });
    expect(answer.statusCode).toBe(400);
    expect(body(answer)).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [
        { severity: 'error', code: 'invalid', diagnostics: expect.stringContaining('_count') },
        { severity: 'error', code: 'invalid', diagnostics: expect.stringContaining('service-date') },
      ],
    });
  });

  it('finds nothing of another member, whatever is asked for, and touches no other partition', async () => {
    proxy.plan();
    const [id = ''] = idsOf('Coverage', other);
    for (const query of [
      { _id: id },
      { patient: other.patientId },
      { beneficiary: `Patient/${other.patientId}` },
    ]) {
      expect(found(await call('/Coverage', { query: query as Record<string, string> }))).toEqual([]);
    }
    expect(found(await call('/Patient', { query: { _id: other.patientId } }))).toEqual([]);
    for (const text of proxy.calls) expect(text).not.toContain(`PATIENT#${other.patientId}`);
  });

  it('sends a stored claim byte for byte, whichever way it is asked for', async () => {
    const claim = member.resources.find(({ resourceType }) => resourceType === 'ExplanationOfBenefit');
    const read = await call('/ExplanationOfBenefit/{id}', { id: claim?.id ?? '' });
    expect(read.body).toBe(claim?.json);
    const searched = await call('/ExplanationOfBenefit', { query: { _id: claim?.id ?? '' } });
    expect(searched.body).toContain(claim?.json);
  });

  it.each(['$everything', '%24everything'])('sends everything at %s, Patient first', async (operation) => {
    const resource = '/Patient/{id}/{operation}';
    const answer = await call(resource, { id: member.patientId, operation, query: { _count: '100' } });
    expect(answer.statusCode).toBe(200);
    expect(found(answer)[0]).toBe(`Patient/${member.patientId}`);
    expect(body(answer).total).toBe(member.resources.length);
    const others = await call(resource, { id: other.patientId, operation });
    const unknown = await call(resource, { id: 'nobody', operation });
    expect([others.statusCode, others.body]).toEqual([404, unknown.body]);
  });

  it('sends everything by POST, narrowed by a Parameters resource', async () => {
    const resource = '/Patient/{id}/{operation}';
    const parts = { id: member.patientId, operation: '$everything' };
    const parameter = [
      { name: '_type', valueString: 'Coverage,Appointment' },
      { name: 'start', valueDate: '2016-01-01' },
    ];
    const headers = { 'Content-Type': 'application/fhir+json' };
    const sent = JSON.stringify({ resourceType: 'Parameters', parameter });
    const posted = await call(resource, { ...parts, method: 'POST', headers, body: sent });
    const query = { _type: 'Coverage,Appointment', start: '2016-01-01' };
    const { meta: _posted, ...narrowed } = body(posted);
    const { meta: _got, ...same } = body(await call(resource, { ...parts, query }));
    expect(narrowed).toEqual(same);
    expect(found(posted).every((name) => name.startsWith('Coverage/'))).toBe(true);
    const wrong = await call(resource, { ...parts, method: 'POST', headers, body: '{}' });
    expect([wrong.statusCode, body(wrong).issue[0].code]).toEqual([400, 'structure']);
  });

  it.each([
    ['Organization', '_id'],
    ['Practitioner', '_id'],
    ['RelatedPerson', '_id'],
    ['Organization', '_lastUpdated'],
    ['Practitioner', '_lastUpdated'],
  ] as const)('finds a %s of the member by %s, and no other member’s', async (type, name) => {
    const own = member.resources.filter(({ resourceType }) => resourceType === type);
    const asked = name === '_id' ? (own[0]?.id ?? 'none') : 'ge2016';
    const answer = await call(`/${type}`, { query: { [name]: asked, _count: '100' } });
    expect(found(answer)).toHaveLength(name === '_id' ? Math.min(own.length, 1) : own.length);
    const others = new Set(other.resources.map(({ id }) => id));
    for (const { id } of own) others.delete(id);
    const foreign = await call(`/${type}`, { query: { _id: [...others].join() } });
    expect(body(foreign).total ?? 0).toBe(0);
  });

  it.each(['$other', 'everything', '_history', ''])('has no operation %j', async (operation) => {
    proxy.plan();
    const answer = await call('/Patient/{id}/{operation}', { id: member.patientId, operation });
    expect([answer.statusCode, body(answer).issue[0].code]).toEqual([404, 'not-supported']);
    expect(proxy.calls).toEqual([]);
  });

  it('names the methods of a path it is called at with another', async () => {
    const [search, read] = [
      await call('/Coverage/_search', { method: 'GET' }),
      await call('/Coverage', { method: 'POST' }),
    ];
    expect([search.statusCode, search.headers?.Allow]).toEqual([405, 'POST, OPTIONS']);
    expect([read.statusCode, read.headers?.Allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('refuses the next page after the grant was revoked, and says why in the audit', async () => {
    const first = await call('/ExplanationOfBenefit', { query: { _count: '5' } });
    const next: string = body(first).link.find(
      ({ relation }: { relation: string }) => relation === 'next',
    ).url;
    const cursor = new URL(next).searchParams.get('_cursor') ?? '';
    const second = await call('/ExplanationOfBenefit', { query: { _cursor: cursor } });
    expect(found(second)).toHaveLength(5);
    expect(found(second).filter((name) => found(first).includes(name))).toEqual([]);
    await world.setGrant(member.patientId, 'revoked');
    const answer = await call('/ExplanationOfBenefit', { query: { _cursor: cursor } });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers).toMatchObject({ 'WWW-Authenticate': 'Bearer error="invalid_token"' });
    expect((await events()).at(-1)).toMatchObject({
      action: 'ExplanationOfBenefit.search-type',
      outcome: 'refused',
      reason: 'grant_revoked',
    });
  });

  it.each([
    ['an expired token', { ...context, tokenExpiresAt: '1' }, 401],
    ['no product', { ...context, products: '' }, 403],
    ['a scope for reading only', { ...context, scope: 'patient/Coverage.r' }, 403],
    ['a machine’s token', { clientId: 'client-1', products: 'patient-access', scope: 'x' }, 403],
    ['no authorizer', {}, 403],
  ])('refuses %s', async (_what, authorizer, status) => {
    proxy.plan();
    const answer = await call('/Coverage', { authorizer: authorizer as Record<string, string> });
    expect([answer.statusCode, body(answer).resourceType]).toEqual([status, 'OperationOutcome']);
    expect(proxy.calls.filter((text) => /RequestItems|KeyCondition/.test(text))).toEqual([]);
  });

  it.each(['PutItem', 'BatchGetItem', 'Query'])('gives nothing out while %s fails', async (operation) => {
    proxy.breakEvery(operation, refusal('InternalServerError', 500));
    const answer = await call('/Coverage');
    expect([answer.statusCode, answer.headers?.['Retry-After']]).toEqual([503, '1']);
    expect(answer.body).not.toContain('Coverage');
    expect(world.lines).toHaveLength(1);
  });
});
