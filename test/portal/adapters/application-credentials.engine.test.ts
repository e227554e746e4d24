import { describe, expect, it } from 'vitest';
import type { VerifiedOrganizationView } from '../../../lambdas/portal/api/operator-views.ts';
import { noContent, problem, response, sessionRead } from '../../../lambdas/portal/api/route-handler.ts';
import type {
  CallsView,
  CredentialsView,
  DraftView,
  RotationView,
  UsageView,
} from '../../../lambdas/portal/api/views.ts';
import { operate } from '../../../lambdas/portal/applications/operations-invocation.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import { configuration } from '../applications/configurations.ts';
import {
  act,
  bodyOf,
  call,
  developer,
  operator,
  type PortalWorld,
  portalWorld,
  problemOf,
  promoted,
  registered,
  runOutboxWorker,
  shown,
  stranger,
  submitted,
} from '../applications/portal-world.ts';

const table = await createEmptyTable();

const password = 'correct horse battery';
/** A session in which the password was entered recently, so that secrets may be shown. */
const open = (world: PortalWorld) => ({ ...developer, secretsOpenUntil: world.clock.now / 1000 + 60 });

describe('the verified identifiers of an organization', () => {
  it('are what the environment has, once an operator set them, and the timeline names the operator', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    const { applicationId } = view;
    const params = { applicationId, environment: 'sandbox' };
    const read = async () =>
      bodyOf<VerifiedOrganizationView>(
        await call(world, 'verifiedOrganization', { session: operator, params }),
      );
    expect(await read()).toEqual({ environments: [{ environment: 'sandbox', identifiers: [] }] });

    const body = { npi: '1234567893', taxIdentificationNumber: '12-3456789', oid: '1.2.3' };
    const identifiers = [
      { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' },
      { system: 'urn:oid:2.16.840.1.113883.4.4', value: '123456789' },
      { system: 'urn:ietf:rfc:3986', value: 'urn:oid:1.2.3' },
    ];
    const set = await call(world, 'verifyOrganization', { session: operator, params, body });
    expect(bodyOf(set)).toEqual({ environments: [{ environment: 'sandbox', identifiers }] });
    expect(world.client('sandbox', view.sandbox.clientId ?? '')).toMatchObject({ organization: identifiers });
    expect((await shown(world, view)).timeline.at(-1)).toMatchObject({
      act: 'verify_organization',
      words: 'sandbox, 1234567893, 123456789, urn:oid:1.2.3',
      actor: { kind: 'operator', name: 'Olga One' },
    });

    bodyOf(await call(world, 'verifyOrganization', { session: operator, params, body: {} }));
    expect(await read()).toEqual({ environments: [{ environment: 'sandbox', identifiers: [] }] });
  });

  it('change nothing in an environment that is away, or that the application is not in', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    const verify = async (environment: string, applicationId = view.applicationId) =>
      problemOf(
        await call(world, 'verifyOrganization', {
          session: operator,
          params: { applicationId, environment },
          body: { npi: '1234567893' },
        }),
      ).problem;
    expect(await verify('production')).toBe('not_found');
    expect(await verify('elsewhere')).toBe('not_found');
    expect(await verify('sandbox', 'unknown')).toBe('not_found');
    world.away.sandbox = true;
    expect(await verify('sandbox')).toBe('environment_unavailable');
    world.away.sandbox = false;
    expect(world.client('sandbox', view.sandbox.clientId ?? '')?.organization).toBeUndefined();
    expect((await shown(world, view)).timeline).toHaveLength(1);
  });
});

describe('credentials', () => {
  it('are shown for the password only, and each view is in the timeline', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    const params = { applicationId: view.applicationId, environment: 'sandbox' };
    expect(problemOf(await call(world, 'credentials', { params, body: {} })).problem).toBe('password_needed');
    const wrong = await call(world, 'credentials', { params, body: { password: 'guess' } });
    expect(problemOf(wrong).problem).toBe('wrong_password');
    expect((await shown(world, view)).timeline).toHaveLength(1);

    const credentials = bodyOf<CredentialsView>(
      await call(world, 'credentials', { params, body: { password } }),
    );
    expect(credentials).toMatchObject({
      environment: 'sandbox',
      clientId: view.sandbox.clientId,
      state: 'active',
    });
    expect(credentials.secrets).toHaveLength(1);
    expect(credentials.subscriptionKeys).toHaveLength(1);
    const last = (await shown(world, view)).timeline.at(-1);
    expect(last).toMatchObject({ act: 'view_credentials', words: 'sandbox', actor: { name: 'Dana Dev' } });
    const again = await call(world, 'credentials', { session: open(world), params, body: {} });
    expect(bodyOf<CredentialsView>(again).secrets).toEqual(credentials.secrets);
  });

  it('that can’t be had leave the session its new cookie: the password was right', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    const cookies = ['__Host-session=new'];
    Object.assign(world.credentialServices, { openSecrets: async () => ({ kind: 'opened', cookies }) });
    world.away.sandbox = true;
    const params = { applicationId: view.applicationId, environment: 'sandbox' };
    const answer = await call(world, 'credentials', { params, body: { password } });
    expect(answer).toEqual(problem('environment_unavailable', { cookies }));
  });

  it('are not shown when it can’t be written down that they are', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    Object.assign(world.portal.applications, {
      record: async () => await Promise.reject(new Error('no store')),
    });
    const params = { applicationId: view.applicationId, environment: 'sandbox' };
    await expect(call(world, 'credentials', { params, body: { password } })).rejects.toThrow('no store');
  });

  it('of production are prepared before approval, and are no credentials of the sandbox', async () => {
    const world = portalWorld(table);
    const early = await registered(world);
    const params = { applicationId: early.applicationId, environment: 'production' };
    const session = open(world);
    expect(await call(world, 'credentials', { session, params, body: {} })).toEqual(problem('not_found'));
    const view = await promoted(world);
    const production = { applicationId: view.applicationId, environment: 'production' };
    const credentials = bodyOf<CredentialsView>(
      await call(world, 'credentials', { session, params: production, body: {} }),
    );
    expect(credentials).toMatchObject({ state: 'suspended', clientId: view.production?.clientId });
    expect(credentials.clientId).not.toBe(view.sandbox.clientId);
    const nowhere = { applicationId: view.applicationId, environment: 'staging' };
    expect(await call(world, 'credentials', { session, params: nowhere, body: {} })).toEqual(
      problem('not_found'),
    );
  });
});

describe('a rotation', () => {
  it('gives the new secret, keeps the old one for the chosen time, and warns before it stops', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    const params = { applicationId: view.applicationId, environment: 'sandbox' };
    const body = { requestId: 'rotation-1', overlapSeconds: 7 * 86_400 };
    expect(problemOf(await call(world, 'rotateSecret', { params, body })).problem).toBe('password_needed');
    const session = open(world);
    const rotated = bodyOf<RotationView>(await call(world, 'rotateSecret', { session, params, body }));
    expect(rotated.clientSecret).toBeDefined();
    expect(bodyOf<RotationView>(await call(world, 'rotateSecret', { session, params, body }))).toEqual(
      rotated,
    );
    const { timeline } = await shown(world, view);
    expect(timeline.filter(({ act }) => act === 'rotate_secret')).toHaveLength(1);
    const third = await call(world, 'rotateSecret', {
      session,
      params,
      body: { ...body, requestId: 'rotation-2' },
    });
    expect(problemOf(third).problem).toBe('too_many_credentials');

    world.mails.length = 0;
    world.pass(3.9 * 86_400_000);
    await runOutboxWorker(world);
    expect(world.mails).toEqual([]);
    world.pass(0.2 * 86_400_000);
    await runOutboxWorker(world);
    expect(world.mails.map(({ subject }) => subject)).toEqual(
      Array(2).fill('An old credential of your application stops soon'),
    );
    expect(world.mails[0]?.text).toContain('stops on March 9, 2026 at 10:00 AM UTC');
  });

  it('asked to stop the old secret now ends none that the page didn’t show', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    const params = { applicationId: view.applicationId, environment: 'sandbox' };
    const session = open(world);
    const secrets = async () =>
      bodyOf<CredentialsView>(await call(world, 'credentials', { session, params, body: {} })).secrets;
    const rotate = (requestId: string, overlapSeconds: number) =>
      call(world, 'rotateSecret', { session, params, body: { requestId, overlapSeconds } });
    world.pass(1_000);
    await rotate('rotation-1', 86_400);
    expect(problemOf(await rotate('rotation-2', 0)).problem).toBe('too_many_credentials');
    const [newest, older] = await secrets();
    const stop = (createdAt: string | undefined) =>
      call(world, 'stopSecret', { params, body: { requestId: 'stop-1234', createdAt } });
    expect(await stop(older?.createdAt)).toEqual(noContent());
    expect(await stop(older?.createdAt)).toEqual(noContent());
    expect(await secrets()).toEqual([newest]);
    const { timeline } = await shown(world, view);
    expect(timeline.filter(({ act }) => act === 'stop_secret')).toHaveLength(1);
  });

  it('of a key is another request than that of another team by the same id', async () => {
    const world = portalWorld(table);
    const mine = await registered(world);
    const body = { requestId: 'rotation-1', overlapSeconds: 60 };
    const theirs = bodyOf(
      await call(world, 'registerApplication', {
        session: stranger,
        body: { configuration: configuration() },
      }),
    );
    const keys = [];
    for (const [view, session] of [
      [mine, open(world)],
      [theirs, { ...open(world), ...stranger }],
    ] as const) {
      const params = { applicationId: view.applicationId, environment: 'sandbox' };
      keys.push(
        bodyOf<RotationView>(await call(world, 'rotateKey', { session, params, body })).subscriptionKey,
      );
    }
    expect(new Set(keys).size).toBe(2);
  });
});

describe('calls and usage', () => {
  it('are those of the application in one environment, newest first and in pages', async () => {
    const world = portalWorld(table);
    const view = await promoted(world);
    for (let at = 1; at <= 3; at += 1) {
      world.logCall('sandbox', view.sandbox.clientId, {
        time: world.clock.now - at * 60_000,
        status: 400 + at,
      });
    }
    world.logCall('production', view.production?.clientId ?? '', { status: 403, host: 'token.example.org' });
    const params = { applicationId: view.applicationId, environment: 'sandbox' };
    const first = bodyOf<CallsView>(await call(world, 'calls', { params, query: { limit: '2' } }));
    expect(first.calls.map(({ status }) => status)).toEqual([200, 401]);
    const rest = bodyOf<CallsView>(await call(world, 'calls', { params, query: { next: first.next ?? '' } }));
    expect(rest.calls.map(({ status, lob }) => [status, lob])).toEqual([
      [402, 'DSNP'],
      [403, 'DSNP'],
    ]);
    const production = { ...params, environment: 'production' };
    const there = bodyOf<CallsView>(await call(world, 'calls', { params: production }));
    expect(there.calls).toHaveLength(1);
    expect(there.calls[0]).not.toHaveProperty('lob');
    for (const query of [
      { limit: '0' },
      { limit: '201' },
      { limit: 'x' },
      { next: 'yesterday' },
      { next: '5' },
      { next: '5.a b' },
    ]) {
      expect(problemOf(await call(world, 'calls', { params, query })).problem).toBe('invalid_request');
    }
    const usage = bodyOf<UsageView>(await call(world, 'usage', { params }));
    expect(usage).toMatchObject({ quotaPerDay: 50_000, requestsPerSecond: 10, burst: 20 });
    expect(usage.days).toHaveLength(1);
  });

  it('say that the environment is away', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    world.away.sandbox = true;
    const params = { applicationId: view.applicationId, environment: 'sandbox' };
    expect(await call(world, 'calls', { params })).toEqual(problem('environment_unavailable'));
  });
});

describe('drafts', () => {
  it('are kept as typed, one person’s own, twenty at most, and end with the registration', async () => {
    const world = portalWorld(table);
    const session = { ...developer, accountId: 'drafter' };
    const save = (draftId: string, name: string) =>
      call(world, 'saveDraft', {
        session,
        params: { draftId },
        body: { screen: 'uris', values: { applicationName: name } },
      });
    for (let at = 1; at <= 20; at += 1) bodyOf(await save(`draft-${String(at).padStart(4, '0')}`, 'A'));
    expect(await save('draft-0021', 'A')).toEqual(problem('limit_reached', { limit: 20 }));
    bodyOf(await save('draft-0001', 'Changed'));
    const list = async (who = session) =>
      bodyOf<{ drafts: DraftView[] }>(await call(world, 'drafts', { session: who })).drafts;
    expect(await list()).toHaveLength(20);
    expect((await list()).find(({ draftId }) => draftId === 'draft-0001')?.values).toEqual({
      applicationName: 'Changed',
    });
    expect(await list(stranger)).toEqual([]);
    await call(world, 'deleteDraft', { session, params: { draftId: 'draft-0002' } });
    const body = { configuration: configuration(), draftId: 'draft-0001' };
    bodyOf(await call(world, 'registerApplication', { session, body }));
    expect(await list()).toHaveLength(18);
  });
});

describe('the operator’s command line', () => {
  const accounts = {
    operatorAccounts: sessionRead(async () => response(200, { accounts: [] })),
    operatorAccount: sessionRead(async () =>
      response(200, { accountId: 'a', version: 3, state: 'pending_verification' }),
    ),
    decideAccount: sessionRead(async ({ session }) => response(200, { by: session.name })),
  };

  const nobody = async () => problem('not_found');
  const operations = ({ portal }: PortalWorld) => ({
    portal,
    accountRoutes: accounts,
    operators: { list: nobody, create: nobody, remove: nobody, resetAuthenticator: nobody },
    status: { measure: nobody, read: nobody, open: nobody, change: nobody },
  });

  it('decides as the console does, and only looks in a dry run', async () => {
    const world = portalWorld(table);
    const view = await submitted(world);
    const request = {
      action: 'decide-application',
      operator: 'Olga One',
      applicationId: view.applicationId,
      decision: { act: 'approve', version: view.version },
    };
    const dry = await operate(operations(world), { ...request, dryRun: true });
    expect(dry).toMatchObject({ kind: 'result', result: { state: 'approved' } });
    expect((await shown(world, view)).state).toBe('awaiting_operator_approval');
    const done = await operate(operations(world), request);
    expect(done).toMatchObject({ kind: 'result', result: { state: 'approved' } });
    expect((await shown(world, view)).timeline.at(-1)?.actor).toEqual({ kind: 'operator', name: 'Olga One' });
    const again = await operate(operations(world), request);
    expect(again).toMatchObject({ kind: 'problem', problem: { code: 'state_conflict', state: 'approved' } });
  });

  it('leaves the appeal of a rejection to a name other than the one that rejected', async () => {
    const world = portalWorld(table);
    const view = await submitted(world);
    const ask = async (name: string, decision: object, dryRun?: true) => {
      const { version } = await shown(world, view);
      const { applicationId } = view;
      return await operate(operations(world), {
        action: 'decide-application',
        operator: name,
        applicationId,
        decision: { version, ...decision },
        dryRun,
      });
    };
    const risk = { act: 'reject', criterion: 'security-risk', reason: 'It sends tokens by mail.' };
    expect(await ask('Olga One', risk)).toMatchObject({ result: { state: 'rejected' } });
    bodyOf(await act(world, 'appeal', await shown(world, view), { words: 'It does not.' }));
    for (const dryRun of [undefined, true] as const) {
      expect(await ask('olga one', { act: 'approve' }, dryRun)).toMatchObject({
        problem: { code: 'appeal_own_decision', detail: expect.stringContaining('another operator') },
      });
    }
    expect(await ask('Omar Two', { act: 'approve' })).toMatchObject({ result: { state: 'approved' } });
  });

  it.each([
    'approve',
    'approve_change',
  ])('takes no %s where two must approve, whatever name it is told, and every other decision', async (act) => {
    const world = portalWorld(table, { fourEyes: 'on' });
    const view = await submitted(world);
    const ask = async (name: string, decision: object, dryRun?: true) =>
      await operate(operations(world), {
        action: 'decide-application',
        operator: name,
        applicationId: view.applicationId,
        decision: { version: view.version, ...decision },
        dryRun,
      });
    for (const [name, dryRun] of [['Olga One'], ['Omar Two'], ['Olga One', true]] as const) {
      expect(await ask(name, { act }, dryRun)).toMatchObject({
        kind: 'problem',
        problem: { code: 'four_eyes', detail: expect.stringContaining('Approve on the console') },
      });
    }
    const present = await shown(world, view);
    expect(present).toMatchObject({ state: 'awaiting_operator_approval', version: view.version });
    expect(present.timeline).toEqual(view.timeline);
    const changes = { act: 'request_changes', criterion: 'privacy-policy', reason: 'It names no one.' };
    expect(await ask('Olga One', changes)).toMatchObject({
      kind: 'result',
      result: { state: 'changes_requested' },
    });
  });

  it('refuses what it does not know, by its field', async () => {
    const world = portalWorld(table);
    expect(await operate(operations(world), { action: 'queue' })).toMatchObject({
      kind: 'problem',
      problem: { code: 'invalid_request', errors: [{ pointer: '/operator' }] },
    });
    expect(await operate(operations(world), 'drop table')).toMatchObject({ kind: 'problem' });
  });

  it('looks by the table whether an account could be decided so', async () => {
    const world = portalWorld(table);
    const ask = (decision: object, dryRun?: true) =>
      operate(operations(world), {
        action: 'decide-account',
        operator: 'Olga',
        accountId: 'a',
        decision,
        dryRun,
      });
    expect(await ask({ act: 'resume', version: 3 }, true)).toMatchObject({
      problem: { code: 'account_state' },
    });
    expect(await ask({ act: 'verify_organization', version: 2 }, true)).toMatchObject({
      problem: { code: 'stale_version' },
    });
    expect(await ask({ act: 'verify_organization', version: 3 }, true)).toMatchObject({ kind: 'result' });
    expect(await ask({ act: 'verify_organization', version: 3 })).toMatchObject({ result: { by: 'Olga' } });
  });

  it('publishes the sandbox’s test members, a line of business at a time', async () => {
    const world = portalWorld(table);
    const member = (lob: string, memberId: string) => ({
      lob,
      memberId,
      password: 'p',
      patientId: 'x',
      name: 'N',
      about: 'A',
    });
    const publish = (members: object[]) =>
      operate(operations(world), { action: 'publish-test-members', operator: 'Olga', members });
    await publish([member('DSNP', '1'), member('DSNP', '2'), member('MAPD', '3')]);
    await publish([member('DSNP', '4')]);
    const { members } = bodyOf<{ members: { memberId: string }[] }>(await call(world, 'testMembers'));
    expect(members.map(({ memberId }) => memberId).sort()).toEqual(['3', '4']);
  });
});
