import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { putAuditEvent } from '../../../lambdas/audit/store/audit-events-contract.ts';
import type {
  OperatorGrantsAnswer,
  OperatorGrantsRequest,
} from '../../../lambdas/authorization/connected-apps/operator-grants-contract.ts';
import { endpointCall, lastingTokens } from '../../faults/act.ts';
import { type Application, startWholeWorld, type WholeWorld } from '../../support/whole-world.ts';
import { sharingAll, theMember } from '../builders.ts';
import { eventOf } from '../events.ts';
import { authorizationQuery, obtainCode, tokenCall } from '../journey.ts';
import { keepAndShare, silently } from '../sso-session-journey.ts';

/** Ends grants for a member as an operator, through the deployed functions and the real engine. */

let world: WholeWorld;
let operate: (request: unknown) => Promise<OperatorGrantsAnswer>;
beforeAll(async () => {
  world = await startWholeWorld();
  ({ handler: operate } = await import('../../../lambdas/authorization/operator-grants.handler.ts'));
});
afterAll(async () => {
  await world.stop();
});

const { patientId, memberId } = theMember;
const about = { lob: 'DSNP', member: { patientId } } as const;

const end = (changes: Partial<Extract<OperatorGrantsRequest, { action: 'end' }>> = {}) =>
  operate({
    ...{ action: 'end', ...about, applications: 'all', reason: 'member_asked', requestId: randomUUID() },
    ...changes,
  });

async function listed(member: object = about.member) {
  const answer = await operate({ action: 'list', lob: 'DSNP', member });
  if (answer.kind !== 'applications') throw new Error(JSON.stringify(answer));
  return answer.applications;
}

async function refresh(application: Application, refresh_token: string): Promise<number> {
  const json = { grant_type: 'refresh_token', refresh_token };
  return (await world.token(eventOf(endpointCall(application, 'token', json)))).statusCode;
}

beforeAll(async () => {
  // The event that a load writes, which records that the patient exists.
  await putAuditEvent(world.table, {
    ...{ eventId: randomUUID(), time: '2026-01-01T00:00:00.000Z', environment: 'sandbox', lob: 'DSNP' },
    ...{ action: 'member.load', outcome: 'succeeded', actor: 'ingest', patientId, requestId: 'load' },
  });
});

beforeEach(async () => {
  await end();
});

describe('what a member shares, as an operator sees it', () => {
  it('is each application once, with its scopes, its time and when it last got data', async () => {
    const application = await world.application({ clientName: 'Blue Steps', displayName: 'Blue Steps App' });
    const { access_token } = await lastingTokens(world, application);
    await lastingTokens(world, application);
    const before = await listed();
    expect(before).toEqual([
      {
        clientId: application.client.clientId,
        name: 'Blue Steps App',
        scopes: [...['openid', 'launch/patient', 'offline_access'], ...sharingAll.split(' ')],
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
    const [{ since = '', until = '' } = {}] = before;
    expect(Date.parse(until) - Date.parse(since)).toBeGreaterThanOrEqual(395 * 86_400_000);
    expect(await world.read(application, access_token)).toBe(200);
    const [after] = await listed();
    expect(Date.now() - Date.parse(after?.lastAccess ?? '')).toBeLessThan(60_000);
  });

  it('is found by the member id as well', async () => {
    const application = await world.application();
    await lastingTokens(world, application);
    expect(await listed({ memberId })).toEqual(await listed());
    expect(await listed()).toHaveLength(1);
  });

  it('is nobody’s where the id is, or is another line of business’s', async () => {
    const unknown = { kind: 'refusal', reason: 'member_unknown' };
    for (const member of [{ patientId: randomUUID() }, { memberId: 'NOBODY123' }]) {
      expect(await operate({ action: 'list', lob: 'DSNP', member })).toEqual(unknown);
      expect(await end({ member })).toEqual(unknown);
    }
    expect(await operate({ action: 'list', lob: 'MAPD', member: { patientId } })).toEqual(unknown);
  });

  it('is not told to a request that says something else', async () => {
    for (const request of [
      { action: 'list', lob: 'DSNP' },
      { action: 'list', lob: 'M2M', member: { patientId } },
      { action: 'list', lob: 'DSNP', member: { patientId: '../x' } },
      { action: 'end', ...about, applications: 'all', requestId: randomUUID() },
      { action: 'end', ...about, applications: 'all', reason: 'she was angry', requestId: randomUUID() },
      { action: 'end', ...about, reason: 'member_asked', requestId: randomUUID() },
    ]) {
      await expect(operate(request)).rejects.toThrow('operator-grants could not be carried out');
    }
  });
});

describe('an application an operator ends', () => {
  it('is refused at its next call, and gets nothing by a refresh or by an SSO session', async () => {
    const [application, other] = [await world.application(), await world.application()];
    const { client } = application;
    const { ssoCookie, tokens } = await keepAndShare(world, client.clientId);
    const lasting = await lastingTokens(world, application);
    const others = await lastingTokens(world, other);
    const silentRequest = () => silently(world, client.clientId, ssoCookie);
    expect((await silentRequest()).code).not.toBeNull();
    expect(await world.read(application, lasting.access_token)).toBe(200);

    const requestId = randomUUID();
    const answer = await end({ applications: { clientId: client.clientId }, requestId });
    expect(answer).toMatchObject({ kind: 'ended', patientId, ended: [{}, {}] });

    expect(await world.read(application, lasting.access_token)).toBe(401);
    expect(await world.read(application, String(tokens.access_token))).toBe(401);
    expect(await refresh(application, lasting.refresh_token)).toBe(400);
    expect(await silentRequest()).toEqual({ code: null, error: 'consent_required' });
    expect(await world.grantOf(lasting.access_token)).toMatchObject({
      state: 'revoked',
      endedBecause: 'member_asked',
    });

    expect(await world.read(other, others.access_token)).toBe(200);
    expect(await refresh(other, others.refresh_token)).toBe(200);

    const events = await world.eventsOf(application, requestId);
    const ended = 'ended' in answer ? answer.ended : [];
    expect(events.map(({ grantId }) => grantId).sort()).toEqual(ended.map(({ grantId }) => grantId).sort());
    for (const event of events) {
      expect(event).toMatchObject({
        ...{ action: 'grant.end', outcome: 'succeeded', actor: 'operator', reason: 'member_asked' },
        ...{ patientId, clientId: client.clientId, lob: 'DSNP', environment: 'sandbox' },
      });
    }
  });

  it('has nothing left to end the second time, and no second event', async () => {
    const application = await world.application();
    await lastingTokens(world, application);
    const applications = { clientId: application.client.clientId };
    expect(await end({ applications })).toMatchObject({ kind: 'ended' });
    const requestId = randomUUID();
    expect(await end({ applications, requestId })).toEqual({ kind: 'refusal', reason: 'not_shared' });
    expect(await end({ requestId })).toEqual({ kind: 'ended', patientId, ended: [] });
    expect(await world.eventsOf(application, requestId)).toEqual([]);
  });

  it('gets nothing by a code that was issued just before', async () => {
    const application = await world.application();
    const { clientId } = application.client;
    const codes = [
      await obtainCode(world, authorizationQuery(clientId)),
      await obtainCode(
        world,
        authorizationQuery(clientId, { scope: 'openid patient/*.read offline_access' }),
      ),
    ];
    expect(await listed()).toEqual([]);
    // The second consent replaced the first grant, whose code was never redeemed.
    expect(await end()).toMatchObject({ kind: 'ended', ended: [{ clientId }] });
    for (const code of codes) {
      const answer = await world.token(eventOf(tokenCall(clientId, code)));
      expect([answer.statusCode, JSON.parse(answer.body).error]).toEqual([400, 'invalid_grant']);
    }
  });

  it('ends once, whoever is told to end it at the same time', async () => {
    const application = await world.application();
    await lastingTokens(world, application);
    const requestIds = Array.from({ length: 5 }, () => randomUUID());
    await Promise.all(requestIds.map((requestId) => end({ requestId })));
    const events = await Promise.all(requestIds.map((id) => world.eventsOf(application, id)));
    expect(events.flat()).toHaveLength(1);
  });

  it('ends with the others where all are to end', async () => {
    const applications = [await world.application(), await world.application()];
    const tokens = await Promise.all(applications.map((each) => lastingTokens(world, each)));
    const answer = await end({ member: { memberId }, reason: 'not_the_member' });
    expect('ended' in answer && answer.ended.map(({ clientId }) => clientId).sort()).toEqual(
      applications.map(({ client }) => client.clientId).sort(),
    );
    const statuses = await Promise.all(
      applications.map((each, at) => world.read(each, tokens[at]?.access_token ?? '')),
    );
    expect(statuses).toEqual([401, 401]);
    expect(await listed()).toEqual([]);
  });

  it('is ended by a repeat where the store could not be reached', async () => {
    const application = await world.application();
    const { access_token } = await lastingTokens(world, application);
    await expect(world.withoutStore(() => end())).rejects.toThrow('repeating the same request is safe');
    expect(await world.read(application, access_token)).toBe(200);
    await end();
    expect(await world.read(application, access_token)).toBe(401);
  });
});
