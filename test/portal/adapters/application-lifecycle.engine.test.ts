import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../lambdas/platform/kernel/canonical-json.ts';
import { portalApplicationKey } from '../../../lambdas/portal/adapters/portal-table-keys.ts';
import type { OperatorApplicationView, QueueItem } from '../../../lambdas/portal/api/operator-views.ts';
import { type PortalSession, problem } from '../../../lambdas/portal/api/route-handler.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import { configuration } from '../applications/configurations.ts';
import {
  act,
  approved,
  bodyOf,
  call,
  decide,
  operator,
  otherOperator,
  portalWorld,
  problemOf,
  promoted,
  registered,
  shown,
  stranger,
  submitted,
} from '../applications/portal-world.ts';

const table = await createEmptyTable();

const against = { criterion: 'security-risk', field: 'privacyUri', reason: 'The policy sells data.' };

describe('an application from registration to approval', () => {
  it('is registered in the sandbox with a client that works, and told by mail', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    expect(view).toMatchObject({
      state: 'registered_in_sandbox',
      version: 1,
      name: 'Sunrise Health',
      attested: false,
    });
    expect(view.allowed).toEqual(['promote', 'withdraw']);
    expect(view.timeline.map(({ act: name, actor }) => [name, actor.name])).toEqual([
      ['register', 'Dana Dev'],
    ]);
    const client = world.client('sandbox', view.sandbox.clientId);
    expect(client).toMatchObject({ state: 'active', tier: 'standard', attested: false });
    expect(client?.redirectUris).toContain('http://localhost:8080/try/callback');
    expect(world.mails.map(({ to }) => to)).toEqual([
      'dev-1@sunrise-health.org',
      'support@sunrise-health.org',
    ]);
    expect(world.mails[0]?.subject).not.toContain('Sunrise');
    expect(world.client('production', view.sandbox.clientId)).toBeUndefined();
  });

  it('is promoted only once a sandbox call of each product was seen, and keeps the evidence', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    const early = problemOf(await act(world, 'promote', view));
    expect(early).toMatchObject({
      problem: 'preflight_failed',
      checks: [{ id: 'evidence-patient-access', result: 'fail' }],
    });
    world.logCall('sandbox', view.sandbox.clientId, { status: 403 });
    world.logCall('sandbox', 'another-client');
    expect(problemOf(await act(world, 'promote', view)).problem).toBe('preflight_failed');

    world.logCall('sandbox', view.sandbox.clientId);
    world.away.sandbox = true;
    expect(await act(world, 'promote', view)).toEqual(problem('environment_unavailable'));
    world.away.sandbox = false;
    const production = bodyOf(await act(world, 'promote', view));
    expect(production).toMatchObject({ state: 'promoted_to_production', version: 2 });
    expect(production.evidence).toMatchObject([{ product: 'patient-access', lob: 'DSNP' }]);
    const client = world.client('production', production.production?.clientId ?? '');
    expect(client).toMatchObject({ state: 'suspended' });
    expect(client?.redirectUris).toEqual(['https://sunrise-health.org/callback']);
    expect(world.doubles.production.usableKeys()).toEqual([]);
  });

  it('gets its production client when values that production refuses are replaced', async () => {
    const world = portalWorld(table);
    const view = await registered(world, { loginRedirectUris: ['http://localhost:3000/callback'] });
    world.logCall('sandbox', view.sandbox.clientId);
    const copied = bodyOf(await act(world, 'promote', view));
    expect(copied.production?.clientId).toBe('');
    const blocked = problemOf(await act(world, 'submit', copied));
    expect(blocked.checks).toContainEqual(
      expect.objectContaining({ id: 'production-values', result: 'fail', field: 'loginRedirectUris' }),
    );
    const edited = bodyOf(await act(world, 'updateProduction', copied, { configuration: configuration() }));
    expect(world.client('production', edited.production?.clientId ?? '')?.state).toBe('suspended');
    expect(bodyOf(await act(world, 'submit', edited)).state).toBe('awaiting_operator_approval');
  });

  it('is submitted, seen in the queue, approved with the hash of what was on the screen, and may call', async () => {
    const world = portalWorld(table);
    const view = await submitted(world);
    const { items } = bodyOf<{ items: readonly QueueItem[] }>(
      await call(world, 'queue', { session: operator }),
    );
    expect(items).toContainEqual({
      kind: 'application',
      id: view.applicationId,
      name: 'Sunrise Health',
      company: 'Sunrise Inc.',
      since: expect.any(String),
      expectedBy: view.decisionExpectedBy,
      products: ['patient-access'],
      verdict: { fix: 0, check: expect.any(Number), open: expect.any(Number), passed: expect.any(Number) },
    });
    expect(world.mails.at(-1)?.text).toContain('We expect to decide by March 9, 2026.');
    const done = bodyOf(await decide(world, view, { act: 'approve', note: 'Welcome.' }));
    expect(done).toMatchObject({ state: 'approved', production: { approved: configuration() } });
    expect(world.client('production', done.production?.clientId ?? '')?.state).toBe('active');
    const item = await table.get(portalApplicationKey(view.applicationId));
    const sha256 = createHash('sha256').update(canonicalJson(configuration())).digest('hex');
    expect(item).toMatchObject({ approved: { sha256 } });
    const left = bodyOf<{ items: readonly QueueItem[] }>(
      await call(world, 'queue', { session: operator }),
    ).items;
    expect(left.map(({ id }) => id)).not.toContain(view.applicationId);
    expect((await shown(world, done)).timeline.map((event) => event.act)).toEqual([
      'register',
      'promote',
      'submit',
      'approve',
    ]);
    expect(world.mails.at(-1)?.text).toContain('Welcome.');
  });

  it('is rejected by a criterion that may keep it out, appealed once, and resubmitted with a difference', async () => {
    const world = portalWorld(table);
    const view = await submitted(world);
    const weak = problemOf(
      await decide(world, view, { act: 'reject', ...against, criterion: 'privacy-policy' }),
    );
    expect(weak).toMatchObject({ problem: 'invalid_request', errors: [{ pointer: '/criterion' }] });
    const unknown = problemOf(await decide(world, view, { act: 'reject', ...against, field: 'teamId' }));
    expect(unknown).toMatchObject({ problem: 'invalid_request', errors: [{ pointer: '/field' }] });

    const rejected = bodyOf(await decide(world, view, { act: 'reject', ...against }));
    expect(rejected).toMatchObject({ state: 'rejected', decision: { words: 'The policy sells data.' } });
    const appealed = bodyOf(await act(world, 'appeal', await shown(world, view), { words: 'It does not.' }));
    expect(appealed).toMatchObject({ state: 'awaiting_operator_approval', appealed: true });
    for (const decision of [{ act: 'approve' }, { act: 'reject', ...against }] as const) {
      const own = problemOf(await decide(world, appealed, decision));
      expect(own).toMatchObject({ problem: 'appeal_own_decision' });
    }
    const seenBy = async (session: PortalSession) => {
      const { items } = bodyOf<{ items: readonly QueueItem[] }>(await call(world, 'queue', { session }));
      const { applicationId } = appealed;
      const { allowed, ownAct } = bodyOf<OperatorApplicationView>(
        await call(world, 'operatorApplication', { session, params: { applicationId } }),
      );
      const { appeal, ownAct: ownInQueue } = items.find(({ id }) => id === applicationId) ?? {};
      return { appeal, ownAct, ownInQueue, allowed };
    };
    expect(await seenBy(operator)).toEqual({
      appeal: true,
      ownAct: 'reject',
      ownInQueue: 'reject',
      allowed: [],
    });
    expect(await seenBy(otherOperator)).toMatchObject({
      appeal: true,
      allowed: ['approve', 'request_changes', 'reject'],
    });
    const again = bodyOf(
      await decide(
        world,
        appealed,
        { act: 'request_changes', ...against, criterion: 'privacy-policy' },
        otherOperator,
      ),
    );
    const mended = configuration({ privacyUri: 'https://sunrise-health.org/privacy-2' });
    const edited = bodyOf(await act(world, 'updateProduction', again, { configuration: mended }));
    const resubmitted = bodyOf(await act(world, 'submit', edited));
    expect(resubmitted.resubmission).toEqual([
      { field: 'privacyUri', before: configuration().privacyUri, after: mended.privacyUri },
    ]);
  });
});

describe('an approved application', () => {
  it('keeps running as approved while a change is decided, then runs the change', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const next = configuration({ loginRedirectUris: ['https://sunrise-health.org/callback-2'] });
    const proposed = bodyOf(await act(world, 'proposeChange', view, { configuration: next }));
    expect(proposed.change?.difference.map(({ field }) => field)).toEqual(['loginRedirectUris']);
    const clientId = view.production?.clientId ?? '';
    const waiting = bodyOf(await act(world, 'submitChange', proposed));
    expect(world.client('production', clientId)?.redirectUris).toEqual(configuration().loginRedirectUris);

    const refused = bodyOf(await decide(world, waiting, { act: 'reject_change', ...against }));
    expect(refused).toMatchObject({ state: 'approved', changeState: 'rejected' });
    expect(world.client('production', clientId)?.redirectUris).toEqual(configuration().loginRedirectUris);

    const second = bodyOf(
      await act(world, 'proposeChange', await shown(world, view), { configuration: next }),
    );
    const asked = bodyOf(await act(world, 'submitChange', second));
    const done = bodyOf(await decide(world, asked, { act: 'approve_change' }));
    expect(done).toMatchObject({ changeState: 'none', production: { approved: next } });
    expect(world.client('production', clientId)).toMatchObject({
      state: 'active',
      redirectUris: next.loginRedirectUris,
    });
  });

  it('drops a change on request', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const next = configuration({ applicationName: 'Sunset Health' });
    await act(world, 'proposeChange', view, { configuration: next });
    const { applicationId } = view;
    const dropped = bodyOf(await call(world, 'discardChange', { params: { applicationId } }));
    expect(dropped).toMatchObject({ changeState: 'none', name: 'Sunrise Health' });
    expect(dropped.change).toBeUndefined();
  });

  it('stops in production before a suspension is answered, and works on after it is resumed', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const clientId = view.production?.clientId ?? '';
    const stopped = bodyOf(await decide(world, view, { act: 'suspend', reason: 'Complaints.' }));
    expect(world.client('production', clientId)?.state).toBe('suspended');
    expect(world.client('sandbox', view.sandbox.clientId)?.state).toBe('active');
    const back = bodyOf(await decide(world, stopped, { act: 'resume' }));
    expect(world.client('production', clientId)?.state).toBe('active');
    bodyOf(await decide(world, back, { act: 'revoke', reason: 'For good.' }));
    expect(world.client('production', clientId)?.state).toBe('revoked');
  });

  it('is attested in both environments, by the present text only', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const accepted = { scrolledToEnd: true, accepted: true };
    const old = problemOf(await act(world, 'attest', view, { textVersion: '2020-01-01', ...accepted }));
    expect(old).toMatchObject({ problem: 'terms_outdated', version: '2026-11-22' });
    const done = bodyOf(await act(world, 'attest', view, { textVersion: '2026-11-22', ...accepted }));
    expect(done).toMatchObject({
      attested: true,
      attestation: { by: 'Dana Dev', textVersion: '2026-11-22' },
    });
    expect(world.client('sandbox', view.sandbox.clientId)?.attested).toBe(true);
    expect(world.client('production', view.production?.clientId ?? '')?.attested).toBe(true);
  });

  it('is withdrawn in both environments', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    expect(bodyOf(await act(world, 'withdraw', view)).allowed).toEqual([]);
    expect(world.client('sandbox', view.sandbox.clientId)?.state).toBe('revoked');
    expect(world.client('production', view.production?.clientId ?? '')?.state).toBe('revoked');
  });
});

describe('a team that runs the pre-flight all the time', () => {
  it('is asked to wait', async () => {
    const world = portalWorld(table);
    const session = { ...stranger, teamId: 'team-eager' };
    const body = { configuration: configuration() };
    const view = bodyOf(await call(world, 'registerApplication', { session, body }));
    const run = () => call(world, 'preflight', { session, params: { applicationId: view.applicationId } });
    for (let time = 0; time < 30; time += 1) bodyOf(await run());
    expect(problemOf(await run())).toMatchObject({ problem: 'too_many_requests' });
  });
});

describe('another team', () => {
  it('finds an application as it finds one that does not exist', async () => {
    const world = portalWorld(table);
    const view = await promoted(world);
    const mine = { applicationId: view.applicationId };
    const none = { applicationId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' };
    const body = { version: view.version };
    for (const name of [
      'application',
      'preflight',
      'submit',
      'recall',
      'withdraw',
      'discardChange',
      'promote',
    ] as const) {
      const theirs = await call(world, name, { session: stranger, params: mine, body });
      expect(theirs, name).toEqual(problem('not_found'));
      expect(theirs).toEqual(await call(world, name, { session: stranger, params: none, body }));
    }
    for (const name of ['updateSandbox', 'updateProduction', 'proposeChange'] as const) {
      const edit = { ...body, configuration: configuration() };
      expect(await call(world, name, { session: stranger, params: mine, body: edit })).toEqual(
        problem('not_found'),
      );
    }
    for (const environment of ['sandbox', 'production']) {
      const params = { ...mine, environment };
      expect(await call(world, 'credentials', { session: stranger, params, body: {} })).toEqual(
        problem('not_found'),
      );
      expect(await call(world, 'calls', { session: stranger, params })).toEqual(problem('not_found'));
      expect(await call(world, 'usage', { session: stranger, params })).toEqual(problem('not_found'));
    }
    const listed = bodyOf<{ applications: unknown[] }>(
      await call(world, 'applications', { session: stranger }),
    );
    expect(listed.applications).toEqual([]);
  });
});
