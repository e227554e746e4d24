import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { jobLimits } from '../../../lambdas/catalog/payer/job-kinds.ts';
import { memberMatchLimits } from '../../../lambdas/catalog/payer/member-match-rules.ts';
import type { ApiHandler } from '../../../lambdas/http/pipeline.ts';
import { matchFailuresByApplication } from '../../../lambdas/kernel/rates.ts';
import {
  applicationKey,
  grantPartition,
  memberIdKey,
  patientResourceKey,
} from '../../../lambdas/storage/table-keys.ts';
import { createSignedTable } from '../../../lambdas/table/signed-table.ts';
import type { Table } from '../../../lambdas/table/table.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { type FaultyProxy, refusal, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { functionEnvironment, gatewayEvent } from '../gateway-event.ts';
import { consent, coverage, organization, parametersOf, patient } from './match-samples.ts';

const lob: LineOfBusiness = 'DSNP';
const hour = 3_600_000;
const currentYear = new Date().getUTCFullYear();
const valid = {
  ...consent,
  provision: {
    ...consent.provision,
    period: { start: `${currentYear - 1}-01-01`, end: `${currentYear + 1}-12-31` },
  },
};
const context = {
  clientId: 'payer-1',
  products: 'payer-access',
  scope: 'sandbox-resource/.default system/*.rs',
  tokenExpiresAt: '4000000000',
};

let engine: TestEngine;
let proxy: FaultyProxy;
let table: Table;
let handler: ApiHandler;
let members = 0;

beforeAll(async () => {
  engine = await startTestEngine();
  proxy = await startFaultyProxy(engine.endpoint);
  table = createSignedTable(engine);
  for (const [name, value] of Object.entries(functionEnvironment(proxy.endpoint, engine.tableName))) {
    vi.stubEnv(name, value);
  }
  vi.spyOn(console, 'log').mockImplementation(() => {});
  ({ handler } = await import('../../../lambdas/functions/payer-access.handler.ts'));
  const application = { state: 'active', products: ['payer-access'], meteringKey: 'm', clientId: 'payer-1' };
  await table.put({ ...applicationKey(lob, 'payer-1'), ...application, organization });
  const others = [{ ...organization[0], value: '9876543210' }];
  await table.put({
    ...applicationKey(lob, 'payer-2'),
    ...application,
    clientId: 'payer-2',
    organization: others,
  });
  await table.put({ ...applicationKey(lob, 'app-1'), ...application, clientId: 'app-1' });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await proxy.stop();
  await engine.stop();
});
beforeEach(() => proxy.plan());
afterEach(() => {
  vi.useRealTimers();
});

/** Loads a member on file with an identifier of its own. */
async function member(at: LineOfBusiness = lob, change: object = {}) {
  members += 1;
  const [id, memberId] = [`patient-${members}`, `MEMBER${members}`];
  const identifier = [
    { type: { coding: [{ code: 'MB' }] }, system: 'http://plan.example.org', value: memberId },
  ];
  const json = JSON.stringify({ ...patient, id, identifier, ...change });
  await table.put({ ...memberIdKey(at, memberId), patientId: id });
  const version = { versionId: '1', lastUpdated: '2026-11-20T10:00:00Z' };
  await table.put({ ...patientResourceKey(at, id, 'Patient', id), json, ...version });
  return { id, memberId };
}

interface Call {
  readonly patient?: object;
  readonly consent?: object;
  readonly authorizer?: Record<string, string>;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

function match(subscriberId: string, call: Call = {}): Promise<APIGatewayProxyResult> {
  const body =
    call.body ??
    parametersOf({
      MemberPatient: { ...patient, identifier: undefined, ...call.patient },
      CoverageToMatch: { ...coverage, identifier: undefined, subscriberId },
      Consent: call.consent ?? valid,
    });
  const event = gatewayEvent({
    resource: '/extfhirpayeraccess/v1/{proxy+}',
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/fhir+json', ...call.headers },
    authorizer: { ...context, ...call.authorizer },
  });
  return handler({ ...event, pathParameters: { proxy: 'Patient/$member-match' } });
}

/** The kind of a call to the store, with the number of its keys or writes. */
function kindOfCall(text: string): string {
  const asked = JSON.parse(text);
  if (asked.RequestItems !== undefined) {
    const [{ Keys = [] } = {}] = Object.values(asked.RequestItems) as { Keys?: readonly unknown[] }[];
    return `BatchGet ${Keys.length}`;
  }
  if (asked.TransactItems !== undefined) return `Transact ${asked.TransactItems.length}`;
  return ['UpdateExpression', 'Item', 'Key'].find((name) => asked[name] !== undefined) ?? 'another';
}

const grantsOf = async (id: string, at: LineOfBusiness = lob) =>
  (await table.query({ pk: grantPartition(at, id) })).items;
const eventsOf = async (subject: string) => (await table.query({ pk: `AUDIT#DSNP#${subject}` })).items;

describe('$member-match', () => {
  it('returns the member identifier and the Patient, and grants the payer access until the Consent or 90 days end', async () => {
    const { id, memberId } = await member();
    const answer = await match(memberId);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/fhir+json',
      'Cache-Control': 'private, no-store',
    });
    expect(JSON.parse(answer.body)).toEqual({
      resourceType: 'Parameters',
      parameter: [
        {
          name: 'MemberIdentifier',
          valueIdentifier: {
            type: { coding: [{ code: 'MB' }] },
            system: 'http://plan.example.org',
            value: memberId,
          },
        },
        { name: 'MemberId', valueReference: { reference: `Patient/${id}` } },
      ],
    });
    const [grant, ...more] = await grantsOf(id);
    expect(more).toEqual([]);
    expect(grant).toMatchObject({
      clientId: 'payer-1',
      patientId: id,
      state: 'active',
      consentPolicy: 'regular',
      scope: 'patient/*.rs',
    });
    expect(Math.abs(Number(grant?.expiresAt) * 1000 - Date.now() - 90 * 24 * hour)).toBeLessThan(hour);
    expect(JSON.parse(String(grant?.consent))).toEqual(valid);
    expect(await eventsOf(`PATIENT#${id}`)).toMatchObject([
      { action: 'Patient.member-match', outcome: 'disclosed', clientId: 'payer-1', grantId: grant?.grantId },
    ]);
    // A repeat is the same grant.
    expect((await match(memberId)).statusCode).toBe(200);
    expect(await grantsOf(id)).toHaveLength(1);
  });

  it('gives the same answer where nobody matches, several match, a Consent is not honored or was revoked, and grants nothing', async () => {
    const [one, other, elsewhere, revoked] = [
      await member(),
      await member(),
      await member('MAPD'),
      await member(),
    ];
    await match(revoked.memberId);
    const [ended] = await grantsOf(revoked.id);
    await table.put({ ...ended, state: 'revoked' } as never);
    const withdrawn = await member();
    await table.put({
      ...memberIdKey(lob, withdrawn.memberId),
      patientId: withdrawn.id,
      withdrawnAt: '2026-01-01T00:00:00Z',
    });
    const actor = (value: string) => [
      { ...valid.provision.actor[0], reference: { identifier: { ...organization[0], value } } },
    ];
    const provision = (change: object) => ({
      consent: { ...valid, provision: { ...valid.provision, ...change } },
    });
    const answers = [
      await match('NOBODY'),
      await match(one.memberId, { patient: { birthDate: '1974-12-26' } }),
      await match(one.memberId, { patient: { identifier: [{ value: other.memberId }] } }),
      await match(elsewhere.memberId),
      await match(withdrawn.memberId),
      await match(revoked.memberId),
      await match(one.memberId, provision({ period: { start: '2020-01-01', end: '2020-12-31' } })),
      await match(one.memberId, provision({ actor: actor('9876543210') })),
      await match(one.memberId, { consent: { ...valid, patient: { reference: 'Patient/2' } } }),
      // Another payer sends the Consent it has seen.
      await match(other.memberId, { authorizer: { clientId: 'payer-2' } }),
    ];
    const [first] = answers;
    expect(first?.statusCode).toBe(422);
    for (const answer of answers) expect(answer).toEqual(first);
    expect(first?.body).not.toMatch(/Person|MEMBER|patient-/);
    for (const { id } of [one, other, elsewhere, withdrawn]) expect(await grantsOf(id)).toEqual([]);
    expect(await grantsOf(elsewhere.id, 'MAPD')).toEqual([]);
    const reasons = (await eventsOf('CLIENT#payer-1')).map(({ reason }) => String(reason)).sort();
    expect(reasons).toEqual(
      [
        ...['member_unknown', 'member_different', 'member_ambiguous', 'member_unknown', 'member_unknown'],
        ...['consent_revoked', 'consent_period', 'consent_recipient', 'consent_patient'],
      ].sort(),
    );
    expect(await eventsOf('CLIENT#payer-2')).toMatchObject([
      { outcome: 'refused', reason: 'consent_recipient' },
    ]);
  });

  it('costs the same calls and takes a whole step of time, whatever it is refused for; and a locked identifier, known or not', async () => {
    const [one, other] = [await member(), await member()];
    const [person, status] = [{ birthDate: '1990-01-01' }, 'rejected'];
    const both =
      (first: string, second: string, change: object = {}, more: Call = {}) =>
      () =>
        match(first, { ...more, patient: { ...change, identifier: [{ value: second }] } });
    const reasons = {
      unknown: both('NOBODY-A', 'NOBODY-B'),
      different: both(one.memberId, 'NOBODY-C', person),
      several: both(one.memberId, other.memberId),
      refused: both(one.memberId, 'NOBODY-D', {}, { consent: { ...valid, status } }),
    };
    const work: (readonly string[])[] = [];
    for (const ask of Object.values(reasons)) {
      proxy.plan();
      const startedAt = performance.now();
      expect((await ask()).statusCode).toBe(422);
      expect(performance.now() - startedAt).toBeGreaterThan(memberMatchLimits.refusalStepMilliseconds - 2);
      work.push(
        proxy.calls.filter((body) => !body.includes(matchFailuresByApplication.name)).map(kindOfCall),
      );
    }
    for (const each of work) expect(each).toEqual(work[0]);
    expect(work[0]).toContain('BatchGet 5');
    const locked: (readonly unknown[])[] = [];
    for (const identifier of [other.memberId, 'NOBODY-E']) {
      const guess = () => match(identifier, { patient: { ...person, identifier: undefined } });
      let answer = await guess();
      for (let guesses = 0; guesses < 12 && answer.statusCode === 422; guesses += 1) {
        proxy.plan();
        answer = await guess();
      }
      const calls = proxy.calls.filter((each) => !each.includes(matchFailuresByApplication.name));
      locked.push([answer.statusCode, answer.body, ...calls.map(kindOfCall)]);
    }
    expect(locked[0]?.[0]).toBe(429);
    expect(locked[1]).toEqual(locked[0]);
  });

  it('refuses an application without scope, product, verified organization or living token, and reads no member', async () => {
    const { memberId, id } = await member();
    const calls: readonly (readonly [Record<string, string>, number])[] = [
      [{ tokenExpiresAt: '1' }, 401],
      [{ products: 'patient-access' }, 403],
      [{ scope: 'sandbox-resource/.default' }, 403],
      [{ scope: 'patient/*.rs' }, 403],
      [{ clientId: 'app-1' }, 403],
      [{ clientId: 'unknown-1' }, 403],
    ];
    for (const [authorizer, status] of calls) {
      const answer = await match(memberId, { authorizer });
      expect([authorizer, answer.statusCode]).toEqual([authorizer, status]);
      expect(JSON.parse(answer.body).resourceType).toBe('OperationOutcome');
    }
    expect(await grantsOf(id)).toEqual([]);
    expect(await eventsOf('CLIENT#app-1')).toMatchObject([
      { outcome: 'refused', reason: 'organization_unverified' },
    ]);
  });

  it('names the fault of a request it can’t read', async () => {
    const status = async (call: Call) => (await match('X', call)).statusCode;
    expect(await status({ body: '{}' })).toBe(400);
    expect(await status({ body: ' '.repeat(jobLimits.bodyBytes + 1) })).toBe(413);
    expect(await status({ headers: { 'Content-Type': 'text/plain' } })).toBe(415);
    expect(await status({ headers: { Accept: 'application/fhir+xml' } })).toBe(406);
  });

  it('locks an identifier after five failures, known or not, whoever asks, and says when to come back', async () => {
    const { memberId } = await member();
    // The first delay is a second, which a busy machine may need for the next request.
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const identifier of [memberId, 'NOT-ON-FILE']) {
      const wrong = { patient: { birthDate: '1990-01-01' } };
      for (let failures = 0; failures < 5; failures += 1) {
        expect((await match(identifier, wrong)).statusCode).toBe(422);
      }
      const locked = await match(identifier, { authorizer: { clientId: 'payer-2' } });
      expect(locked.statusCode).toBe(429);
      expect(locked.headers?.['Retry-After']).toBe('1');
    }
  });

  it('matches nobody where the audit can’t be written', async () => {
    const { memberId, id } = await member();
    proxy.breakEvery('TransactWriteItems', refusal('AccessDeniedException'));
    const answer = await match(memberId);
    expect(answer.statusCode).toBeGreaterThanOrEqual(500);
    expect(answer.body).not.toContain(memberId);
    expect(await grantsOf(id)).toEqual([]);
  });
});
