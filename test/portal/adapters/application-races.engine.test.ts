import { describe, expect, it } from 'vitest';
import type { OperatorApplicationView, QueueItem } from '../../../lambdas/portal/api/operator-views.ts';
import { problem } from '../../../lambdas/portal/api/route-handler.ts';
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
  type PortalWorld,
  portalWorld,
  problemOf,
  promoted,
  registered,
  shown,
  submitted,
} from '../applications/portal-world.ts';

const table = await createEmptyTable();

async function queueOf(world: PortalWorld, id: string): Promise<readonly QueueItem[]> {
  const { items } = bodyOf<{ items: readonly QueueItem[] }>(
    await call(world, 'queue', { session: operator }),
  );
  return items.filter((item) => item.id === id);
}

const acts = (answer: { readonly timeline: readonly { readonly act: string }[] }) =>
  answer.timeline.map(({ act: name }) => name);

describe('acts at the same time', () => {
  it('have one winner among decisions, and the environment follows it', async () => {
    const world = portalWorld(table);
    const view = await submitted(world);
    const decisions = [
      { act: 'approve' },
      { act: 'reject', criterion: 'security-risk', reason: 'No.' },
      { act: 'request_changes', criterion: 'privacy-policy', reason: 'Please.' },
      { act: 'approve' },
    ];
    const answers = await Promise.all(
      decisions.map((decision, at) => decide(world, view, decision, at % 2 === 0 ? operator : otherOperator)),
    );
    const winners = answers.filter((answer) => answer.kind !== 'problem');
    expect(winners).toHaveLength(1);
    for (const answer of answers) {
      if (answer.kind === 'problem') expect(['state_conflict', 'stale_version']).toContain(answer.problem);
    }
    const after = await shown(world, view);
    expect(after).toMatchObject(
      bodyOf<{ state: string }>(winners[0] as never).state === after.state ? {} : { state: 'the winner’s' },
    );
    expect(after.version).toBe(view.version + 1);
    expect(acts(after).slice(3)).toHaveLength(1);
    expect(await queueOf(world, view.applicationId)).toEqual([]);
    const client = world.client('production', after.production?.clientId ?? '');
    expect(client?.state).toBe(after.state === 'approved' ? 'active' : 'suspended');
  });

  it('lets either the developer take a submission back or the operator approve it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const world = portalWorld(table);
      const view = await submitted(world);
      const [recall, approve] = await Promise.all([
        act(world, 'recall', view),
        decide(world, view, { act: 'approve' }),
      ]);
      expect([recall, approve].filter((answer) => answer.kind === 'problem')).toHaveLength(1);
      const after = await shown(world, view);
      const client = world.client('production', after.production?.clientId ?? '');
      expect(client?.state).toBe(after.state === 'approved' ? 'active' : 'suspended');
    }
  });

  it('saves one of two edits, and tells the other what is there now and what differs', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    const edit = (name: string) =>
      act(world, 'updateSandbox', view, { configuration: configuration({ applicationName: name }) });
    const answers = await Promise.all([edit('First'), edit('Second')]);
    const lost = answers.filter((answer) => answer.kind === 'problem').map(problemOf);
    expect(lost).toHaveLength(1);
    const after = await shown(world, view);
    expect(lost[0]).toMatchObject({
      problem: 'stale_version',
      changed: ['applicationName'],
      current: { version: 2, sandbox: { configuration: { applicationName: after.name } } },
    });
    expect(world.client('sandbox', view.sandbox.clientId)?.clientName).toBe(after.name);
  });

  it('makes one client of registrations settled at the same time', async () => {
    const world = portalWorld(table);
    world.away.sandbox = true;
    const view = await registered(world);
    world.away.sandbox = false;
    const params = { applicationId: view.applicationId, environment: 'sandbox' };
    await Promise.all([1, 2, 3, 4].map(() => call(world, 'usage', { params })));
    expect(world.doubles.sandbox.clients.size).toBe(1);
  });
});

describe('what is refused', () => {
  it('says where the application stands and what can be done from there', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    expect(problemOf(await act(world, 'submit', view))).toEqual(
      problem('state_conflict', { state: 'registered_in_sandbox', allowed: ['promote', 'withdraw'] }),
    );
    expect(problemOf(await decide(world, view, { act: 'approve' })).problem).toBe('state_conflict');
    expect((await shown(world, view)).version).toBe(1);
  });

  it('is a field nobody may set: state, team, approval', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    for (const extra of [
      { state: 'approved' },
      { teamId: 'team-2' },
      { approved: true },
      { __proto__x: 1 },
    ]) {
      const smuggled = { ...configuration(), ...extra };
      const answer = problemOf(await act(world, 'updateSandbox', view, { configuration: smuggled }));
      expect(answer.errors).toEqual([
        expect.objectContaining({
          pointer: `/configuration/${Object.keys(extra)[0]}`,
          code: 'unknown_field',
        }),
      ]);
      await expect(
        act(world, 'updateSandbox', view, { configuration: configuration(), ...extra }),
      ).rejects.toThrow('unrecognized_keys');
    }
  });

  it('is an edit that would make another client of it', async () => {
    const world = portalWorld(table);
    const view = await registered(world);
    const configured = configuration({ applicationType: 'native', tokenEndpointAuthMethod: 'none' });
    const answer = problemOf(await act(world, 'updateSandbox', view, { configuration: configured }));
    expect(answer.errors?.map(({ pointer }) => pointer)).toEqual(['/configuration/tokenEndpointAuthMethod']);
  });

  it('is what the environment itself would refuse, at its field', async () => {
    const world = portalWorld(table);
    const body = {
      configuration: configuration({
        tokenEndpointAuthMethod: 'private_key_jwt',
        jwksUri: 'https://sunrise-health.org:8443/jwks',
      }),
    };
    const answer = problemOf(await call(world, 'registerApplication', { body }));
    expect(answer).toMatchObject({
      problem: 'invalid_request',
      errors: [{ pointer: '/configuration/jwksUri' }],
    });
    expect(world.doubles.sandbox.clients.size).toBe(0);
  });

  it('is an application too many, however many are registered at the same time', async () => {
    const world = portalWorld(table);
    const session = {
      session: { ...operator, role: 'developer', accountId: 'dev-9', teamId: 'team-full' },
    } as const;
    const another = async () =>
      await call(world, 'registerApplication', { ...session, body: { configuration: configuration() } });
    let last = bodyOf(await another());
    for (let count = 1; count < 48; count += 1) last = bodyOf(await another());
    const full = problem('limit_reached', { limit: 50 });
    const answers = await Promise.all(Array.from({ length: 6 }, another));
    expect(answers.filter((answer) => answer.kind !== 'problem')).toHaveLength(2);
    expect(answers.filter((answer) => answer.kind === 'problem')).toEqual([full, full, full, full]);
    const { applications } = bodyOf<{ applications: readonly unknown[] }>(
      await call(world, 'applications', session),
    );
    expect(applications).toHaveLength(50);

    // After an application is withdrawn, one more can be registered.
    const { applicationId, version } = last;
    const withdrawal = { ...session, params: { applicationId }, body: { version } };
    expect(bodyOf(await call(world, 'withdraw', withdrawal)).state).toBe('withdrawn');
    expect(await call(world, 'withdraw', withdrawal)).toMatchObject({ problem: 'state_conflict' });
    bodyOf(await another());
    expect(await another()).toEqual(full);
  });
});

describe('two operators', () => {
  it('must both approve where the portal asks for it', async () => {
    const world = portalWorld(table, { fourEyes: 'on' });
    const view = await submitted(world);
    const first = problemOf(await decide(world, view, { act: 'approve' }));
    expect(first).toMatchObject({ problem: 'four_eyes', current: { approvedBy: 'Olga One' } });
    expect((await queueOf(world, view.applicationId))[0]?.approvedBy).toBe('Olga One');
    const kept = await shown(world, view);
    expect(kept.state).toBe('awaiting_operator_approval');
    expect(world.client('production', kept.production?.clientId ?? '')?.state).toBe('suspended');

    expect(problemOf(await decide(world, kept, { act: 'approve' })).problem).toBe('four_eyes');
    const done = bodyOf<OperatorApplicationView>(
      await decide(world, kept, { act: 'approve' }, otherOperator),
    );
    expect(done.state).toBe('approved');
    expect(acts(done).slice(-2)).toEqual(['first_approval', 'approve']);
  });

  it('approve what was on the screen: whatever happens in between, the first approval is void', async () => {
    const world = portalWorld(table, { fourEyes: 'on' });
    const view = await submitted(world);
    await decide(world, view, { act: 'approve' });
    const back = bodyOf(await act(world, 'recall', await shown(world, view)));
    const again = bodyOf(await act(world, 'submit', back));
    expect(problemOf(await decide(world, again, { act: 'approve' }, otherOperator)).problem).toBe(
      'four_eyes',
    );
    expect((await shown(world, view)).state).toBe('awaiting_operator_approval');
  });
});

describe('the operator’s screen', () => {
  it('shows pre-flight, differences, calls and evidence of one application', async () => {
    const world = portalWorld(table);
    const view = await promoted(world);
    const next = configuration({ privacyUri: 'https://sunrise-health.org/privacy-2' });
    const edited = bodyOf(await act(world, 'updateProduction', view, { configuration: next }));
    const params = { applicationId: edited.applicationId };
    const screen = bodyOf<OperatorApplicationView>(
      await call(world, 'operatorApplication', { session: operator, params }),
    );
    expect(screen.sandboxDifference.map(({ field }) => field)).toEqual(['privacyUri']);
    expect(screen.preflight.map(({ id, result }) => [id, result])).toEqual(
      expect.arrayContaining([
        ['production-values', 'pass'],
        ['address-privacyUri', 'skipped'],
        ['evidence-patient-access', 'pass'],
        ['attestation', 'warn'],
      ]),
    );
    expect(screen.sandboxCalls).toMatchObject([{ lob: 'DSNP', status: 200 }]);
  });

  it('lists applications by state, in one list at a time', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const listed = async (state: string) =>
      bodyOf<{ applications: { applicationId: string }[] }>(
        await call(world, 'operatorApplications', { session: operator, query: { state } }),
      ).applications.map(({ applicationId }) => applicationId);
    expect(await listed('approved')).toContain(view.applicationId);
    for (const state of ['registered_in_sandbox', 'promoted_to_production', 'awaiting_operator_approval']) {
      expect(await listed(state)).not.toContain(view.applicationId);
    }
    const wrong = await call(world, 'operatorApplications', { session: operator, query: { state: 'fine' } });
    expect(problemOf(wrong).problem).toBe('invalid_request');
  });

  it('lists a team’s applications, in whatever states, and no other team’s', async () => {
    const world = portalWorld(table);
    const [running, begun] = [await approved(world), await submitted(world)];
    const listed = async (query: Record<string, string>) =>
      bodyOf<{ applications: { applicationId: string }[] }>(
        await call(world, 'operatorApplications', { session: operator, query }),
      ).applications.map(({ applicationId }) => applicationId);
    const ids = [running.applicationId, begun.applicationId];
    expect(await listed({ team: 'team-1' })).toEqual(expect.arrayContaining(ids));
    expect(await listed({ team: 'team-1', state: 'approved' })).not.toContain(begun.applicationId);
    expect(await listed({ team: 'team-none' })).toEqual([]);
  });
});
