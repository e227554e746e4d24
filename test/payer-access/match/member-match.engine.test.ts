import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSharing } from '../../../lambdas/authorization/connected-apps/end-sharing.ts';
import { createMemberGrants } from '../../../lambdas/authorization/store/member-grants.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { jobLimits } from '../../../lambdas/catalog/payer/job-kinds.ts';
import { memberMatchLimits } from '../../../lambdas/catalog/payer/member-match-rules.ts';
import { createMatchStore } from '../../../lambdas/payer-access/store/payer-matches.ts';
import type { ApiHandler } from '../../../lambdas/platform/http/pipeline.ts';
import { matchFailuresByApplication } from '../../../lambdas/platform/kernel/rates.ts';
import { systemRandom } from '../../../lambdas/platform/runtime/random.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import {
  applicationKey,
  grantPartition,
  memberIdKey,
  patientResourceKey,
} from '../../../lambdas/platform/table/table-keys.ts';
import { functionEnvironment, gatewayEvent } from '../../fhir/gateway-event.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { type FaultyProxy, refusal, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { consent, coverage, organization, parametersOf, patient } from '../match-samples.ts';

const lob: LineOfBusiness = 'DSNP';
const hour = 3_600_000;
const v2Identifiers = 'http://terminology.hl7.org/CodeSystem/v2-0203';
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
  ({ handler } = await import('../../../lambdas/payer-access/payer-access.handler.ts'));
  const application = { state: 'active', products: ['payer-access'], meteringKey: 'm', clientId: 'payer-1' };
  await table.put({ ...applicationKey(lob, 'payer-1'), ...application, organization });
  const others = [{ ...organization[0], value: '9876543210' }];
  await table.put({
    ...applicationKey(lob, 'payer-2'),
    ...application,
    clientId: 'payer-2',
    organization: others,
  });
  await table.put({ ...applicationKey(lob, 'payer-1b'), ...application, clientId: 'payer-1b', organization });
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

/** Loads a member with a new identifier. */
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

/** The operation of a call to the store, with the number of its keys or writes. */
function kindOfCall(text: string): string {
  const asked = JSON.parse(text);
  if (asked.RequestItems !== undefined) {
    const [{ Keys = [] } = {}] = Object.values(asked.RequestItems) as { Keys?: readonly unknown[] }[];
    return `BatchGet ${Keys.length}`;
  }
  if (asked.TransactItems !== undefined) return `Transact ${asked.TransactItems.length}`;
  return ['UpdateExpression', 'Item', 'Key'].find((name) => asked[name] !== undefined) ?? 'another';
}

/** Ends payer-1's permission as the member. */
async function endSharingOf(patientId: string) {
  const services = {
    ...{ grants: createMemberGrants(table), now: Date.now },
    random: systemRandom,
  };
  const requestContext = { environment: 'sandbox', lob, requestId: 'request-1' } as const;
  const decided = { action: 'grant.revoke', actor: 'member-1', reason: 'member_stopped' } as const;
  return await endSharing(services, { context: requestContext, patientId, clientId: 'payer-1', decided });
}

const grantsOf = async (id: string, at: LineOfBusiness = lob) =>
  (await table.query({ pk: grantPartition(at, id) })).items;
const eventsOf = async (subject: string) => (await table.query({ pk: `AUDIT#DSNP#${subject}` })).items;

describe('$member-match', () => {
  it('returns the member identifier alone, the answer of HRex 1.0.0, with Prefer: return=minimal', async () => {
    const { memberId } = await member();
    const answer = await match(memberId, { headers: { Prefer: 'return=minimal' } });
    const { parameter } = JSON.parse(answer.body) as { parameter: readonly { name: string }[] };
    expect(parameter.map(({ name }) => name)).toEqual(['MemberIdentifier']);
  });

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
            // Codes of HRex 1.0.0 and of HRex 1.2.
            type: { coding: ['MB', 'UMB'].map((code) => ({ system: v2Identifiers, code })) },
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
    // A repeated match gives the same grant.
    expect((await match(memberId)).statusCode).toBe(200);
    expect(await grantsOf(id)).toHaveLength(1);
  });

  it('gives the same answer where nobody matches, several match, or the member has ended the permission, and grants nothing', async () => {
    const [one, other, elsewhere, revoked] = [
      await member(),
      await member(),
      await member('MAPD'),
      await member(),
    ];
    await match(revoked.memberId);
    expect(await endSharingOf(revoked.id)).toHaveLength(1);
    const withdrawn = await member();
    await table.put({
      ...memberIdKey(lob, withdrawn.memberId),
      patientId: withdrawn.id,
      withdrawnAt: '2026-01-01T00:00:00Z',
    });
    const answers = [
      await match('NOBODY'),
      await match(one.memberId, { patient: { birthDate: '1974-12-26' } }),
      await match(one.memberId, { patient: { identifier: [{ value: other.memberId }] } }),
      await match(elsewhere.memberId),
      await match(withdrawn.memberId),
      await match(revoked.memberId),
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
        'consent_ended',
      ].sort(),
    );
  });

  it('names each fault of a request, the same of a member and of nobody, and looks nobody up', async () => {
    const { memberId, id } = await member();
    const provision = (change: object) => ({
      consent: { ...valid, provision: { ...valid.provision, ...change } },
    });
    const expired = { period: { start: '2020-01-01', end: '2020-12-31' } };
    const faults: readonly (readonly [Call, readonly string[]])[] = [
      [provision(expired), ['provision.period']],
      [provision({ ...expired, dataPeriod: {} }), ['Consent.provision.dataPeriod', 'provision.period']],
      [{ consent: { ...valid, patient: { reference: 'Patient/2' } } }, ['patient is the local reference']],
      // Another payer sends a copy of this payer's Consent.
      [{ authorizer: { clientId: 'payer-2' } }, ['provision.actor']],
      [
        { patient: { name: undefined, birthDate: 'soon' } },
        ['MemberPatient.name', 'MemberPatient.birthDate'],
      ],
      [
        { patient: { identifier: [1, 2, 3, 4, 5].map((at) => ({ value: `ID${at}` })) } },
        ['MemberPatient.identifier'],
      ],
    ];
    for (const [call, named] of faults) {
      proxy.plan();
      const answers = [await match(memberId, call), await match('NOBODY-F', call)];
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.statusCode).toBe(422);
      const { issue } = JSON.parse(answers[0]?.body ?? '');
      expect(issue).toEqual(
        named.map((text) => expect.objectContaining({ diagnostics: expect.stringContaining(text) })),
      );
      expect(proxy.calls.filter((each) => /MEMBER-ID#|RATE#/.test(each))).toEqual([]);
    }
    expect(await grantsOf(id)).toEqual([]);
  });

  it('honors after the end of a permission only a Consent that was given later, and for each application of the organization', async () => {
    const provision = {
      ...valid.provision,
      period: { ...valid.provision.period, end: `${currentYear + 1}-12-30` },
    };
    const before = new Date().toISOString();
    for (const change of [
      { id: 'another' },
      { sourceReference: { display: 'signed ' } },
      { provision },
      { dateTime: before },
      { dateTime: '2020-01-01' },
      { dateTime: `${currentYear + 1}-01-01` },
    ]) {
      const ended = await member();
      expect((await match(ended.memberId)).statusCode).toBe(200);
      expect(await endSharingOf(ended.id)).toHaveLength(1);
      const call = { consent: { ...valid, ...change } };
      const again = [
        await match(ended.memberId, call),
        await match(ended.memberId, { ...call, authorizer: { clientId: 'payer-1b' } }),
      ];
      for (const { statusCode } of again) expect([change, statusCode]).toEqual([change, 422]);
    }
    const { memberId, id } = await member();
    await match(memberId);
    await endSharingOf(id);
    const after = new Date(Date.now() + 1).toISOString();
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(after));
    expect((await match(memberId, { consent: { ...valid, dateTime: after } })).statusCode).toBe(200);
    // The member ends the permission again, after that Consent.
    expect(await endSharingOf(id)).toHaveLength(1);
    expect((await match(memberId, { consent: { ...valid, dateTime: after } })).statusCode).toBe(422);
  });

  it('grants nothing where the member ends the permission between the judgment and the write', async () => {
    const { memberId, id } = await member();
    await match(memberId);
    const store = createMatchStore(table, {
      lob,
      environment: 'sandbox',
      now: Date.now,
      uuid: systemRandom.uuid,
    });
    const [found] = await store.patients([memberId]);
    await endSharingOf(id);
    const given = JSON.stringify({ ...valid, dateTime: new Date().toISOString() });
    const saved = await store.saveMatch({
      ...{
        clientId: 'payer-1',
        requestId: 'request-2',
        patientId: id,
        grantId: 'grant-2',
        scope: 'patient/*.rs',
      },
      ...{ policy: 'regular', consent: given, expiresAt: 4_000_000_000, organization },
      ends: found?.ends ?? new Map(),
    });
    expect(saved).toBe(false);
    expect((await grantsOf(id)).map(({ state }) => state)).toEqual(['revoked']);
  });

  it('clears the failures of an identifier by a match of that identifier alone', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [victim, own] = [await member(), await member()];
    const wrong = { patient: { birthDate: '1990-01-01' } };
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let guess = 0; guess < 4; guess += 1)
        statuses.push((await match(victim.memberId, wrong)).statusCode);
      // A correct match of another member, with the victim's identifier added.
      const other = { family: 'Own', given: ['Olga'] };
      await table.put({
        ...patientResourceKey(lob, own.id, 'Patient', own.id),
        json: JSON.stringify({ ...patient, id: own.id, name: [other], identifier: [] }),
        ...{ versionId: '1', lastUpdated: '2026-11-20T10:00:00Z' },
      });
      const beside = { patient: { name: [other], identifier: [{ value: victim.memberId }] } };
      statuses.push((await match(own.memberId, beside)).statusCode);
    }
    expect(statuses.slice(0, 5)).toEqual([422, 422, 422, 422, 200]);
    expect(statuses.slice(5)).toEqual(new Array(10).fill(429));
    vi.advanceTimersByTime(5_000);
    expect((await match(victim.memberId)).statusCode).toBe(200);
    expect((await match(victim.memberId, wrong)).statusCode).toBe(422);
  });

  it('costs the same calls and takes a whole step of time, whatever it is refused for; and a locked identifier, known or not', async () => {
    const [one, other] = [await member(), await member()];
    const ended = await member();
    await match(ended.memberId);
    await endSharingOf(ended.id);
    const person = { birthDate: '1990-01-01' };
    const both =
      (first: string, second: string, change: object = {}) =>
      () =>
        match(first, { patient: { ...change, identifier: [{ value: second }] } });
    const reasons = {
      unknown: both('NOBODY-A', 'NOBODY-B'),
      different: both(one.memberId, 'NOBODY-C', person),
      several: both(one.memberId, other.memberId),
      ended: both(ended.memberId, 'NOBODY-D'),
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
    // Five identifiers, then five Patients and the ends of their payers' permissions.
    expect(work[0]?.filter((each) => each.startsWith('BatchGet'))).toEqual(['BatchGet 5', 'BatchGet 10']);
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
    // Time is stopped: the first delay is a second, and a busy machine may take longer for the next request.
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const identifier of [memberId, 'NOT-ON-FILE']) {
      const wrong = { patient: { birthDate: '1990-01-01' } };
      for (let failures = 0; failures < 5; failures += 1) {
        expect((await match(identifier, wrong)).statusCode).toBe(422);
      }
      const locked = await match(identifier, { authorizer: { clientId: 'payer-1b' } });
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
