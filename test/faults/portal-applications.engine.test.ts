import { afterAll, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../lambdas/platform/table/table.ts';
import { teamKey } from '../../lambdas/portal/adapters/portal-table-keys.ts';
import type { PortalResult } from '../../lambdas/portal/api/route-handler.ts';
import type { ApplicationView } from '../../lambdas/portal/api/views.ts';
import { configuration } from '../portal/applications/configurations.ts';
import {
  act,
  approved,
  bodyOf,
  call,
  decide,
  developer,
  otherOperator,
  type PortalWorld,
  portalWorld,
  problemOf,
  promoted,
  registered,
  runOutboxWorker,
  shown,
  submitted,
} from '../portal/applications/portal-world.ts';
import { startTestEngine } from '../support/engine.ts';
import { inTurn } from '../support/matrix-turn.ts';
import { planAt } from './faults.ts';
import { breakableTable, portalCases } from './portal-store.ts';

/**
 * Breaks each store call of every act on an application with every fault, and each call of an environment that is unavailable or whose
 * answer is lost: an act succeeds once, no acknowledged write is lost, and production admits approved applications only.
 */

/** Faults that last. Those that a first retry overcomes are tested with the accounts, over the same store. */
const lasting = portalCases.filter(({ duration }) => duration === 'for good');

const engine = await startTestEngine();
const { proxy, table } = await breakableTable(engine);
afterAll(async () => {
  await proxy.stop();
  await engine.stop();
});

let worlds = 0;
/** Each world is an hour after the last one and its team has no application, so that the portal's limits do not apply. */
async function aWorld(): Promise<PortalWorld> {
  worlds += 1;
  const world = portalWorld(table);
  world.pass(worlds * 3_600_000);
  await table.transact([{ delete: teamKey(developer.teamId) }]);
  return world;
}

type Tried = PortalResult | 'unavailable';
async function tried(run: () => Promise<PortalResult>): Promise<Tried> {
  try {
    return await run();
  } catch (error) {
    // Any other error is a defect.
    expect(error).toBeInstanceOf(StoreUnavailable);
    return 'unavailable';
  }
}
const isGood = (answer: Tried) => answer !== 'unavailable' && answer.kind === 'response';

const suspended = async (world: PortalWorld) =>
  bodyOf<ApplicationView>(await decide(world, await approved(world), { act: 'suspend', reason: 'A test.' }));

interface Act {
  readonly name: string;
  readonly prepare: (world: PortalWorld) => Promise<ApplicationView>;
  readonly run: (world: PortalWorld, view: ApplicationView) => Promise<PortalResult>;
  /** States after the act, in the portal and of the production client. */
  readonly state: string;
  readonly client: 'active' | 'suspended' | 'revoked';
}

const against = { criterion: 'security-risk', reason: 'A test.' };
const acts: readonly Act[] = [
  {
    name: 'promote',
    async prepare(world) {
      const view = await registered(world);
      world.logCall('sandbox', view.sandbox.clientId);
      return view;
    },
    run: (world, view) => act(world, 'promote', view),
    state: 'promoted_to_production',
    client: 'suspended',
  },
  {
    name: 'submit',
    prepare: promoted,
    run: (world, view) => act(world, 'submit', view),
    state: 'awaiting_operator_approval',
    client: 'suspended',
  },
  {
    name: 'edit_production',
    prepare: promoted,
    run: (world, view) =>
      act(world, 'updateProduction', view, { configuration: configuration({ displayName: 'Dawn' }) }),
    state: 'promoted_to_production',
    client: 'suspended',
  },
  {
    name: 'approve',
    prepare: submitted,
    run: (world, view) => decide(world, view, { act: 'approve' }),
    state: 'approved',
    client: 'active',
  },
  {
    name: 'reject',
    prepare: submitted,
    run: (world, view) => decide(world, view, { act: 'reject', ...against }),
    state: 'rejected',
    client: 'suspended',
  },
  {
    name: 'suspend',
    prepare: approved,
    run: (world, view) => decide(world, view, { act: 'suspend', reason: 'A test.' }),
    state: 'suspended',
    client: 'suspended',
  },
  {
    name: 'resume',
    prepare: suspended,
    run: (world, view) => decide(world, view, { act: 'resume' }),
    state: 'approved',
    client: 'active',
  },
  {
    name: 'revoke',
    prepare: approved,
    run: (world, view) => decide(world, view, { act: 'revoke', reason: 'A test.' }),
    state: 'revoked',
    client: 'revoked',
  },
  {
    name: 'withdraw',
    prepare: approved,
    run: (world, view) => act(world, 'withdraw', view),
    state: 'withdrawn',
    client: 'revoked',
  },
];

const clientOf = (world: PortalWorld, view: ApplicationView) =>
  world.client('production', view.production?.clientId ?? '')?.state;

async function settle(world: PortalWorld, view: ApplicationView, it: Act, first: Tried): Promise<void> {
  const { name, state, client } = it;
  if (isGood(first)) {
    const now = await shown(world, view);
    expect(now.state).toBe(state);
    // When an application is suspended, revoked or withdrawn, its client has ended before the answer.
    if (['suspend', 'revoke', 'withdraw'].includes(name)) expect(clientOf(world, now)).toBe(client);
  }
  const again = await tried(() => it.run(world, view));
  if (!isGood(again))
    expect(['stale_version', 'state_conflict']).toContain(problemOf(again as PortalResult).problem);
  if (isGood(first)) expect(isGood(again)).toBe(false);
  const { left } = await runOutboxWorker(world);
  expect(left).toBe(0);
  const after = await shown(world, view);
  expect(after.state).toBe(state);
  const events = after.timeline.filter((event) => event.act === name);
  expect(events).toHaveLength(1);
  expect(clientOf(world, after)).toBe(client);
  expect(world.doubles.production.clients.size).toBe(1);
}

describe.each(acts)('$name', (it_) => {
  it.each(inTurn(lasting, it_.name))('when $fault, $duration', async ({ met, duration }) => {
    let at = 0;
    for (; ; at += 1) {
      const world = await aWorld();
      const view = await it_.prepare(world);
      const before = clientOf(world, view);
      proxy.plan(...planAt(at, met, duration));
      const first = await tried(() => it_.run(world, view));
      const calls = proxy.calls.length;
      proxy.plan();
      if (calls <= at) {
        expect(isGood(first)).toBe(true);
        break;
      }
      // A half-done act grants no access.
      const now = await shown(world, view);
      const isOpen = clientOf(world, now) === 'active';
      if (isOpen && before !== 'active') expect([now.state, it_.client]).toEqual(['approved', 'active']);
      await settle(world, view, it_, first);
    }
    expect(at).toBeGreaterThanOrEqual(3);
  });

  it.each(inTurn(['away', 'answering nobody'], it_.name))('when the environment is %s', async (how) => {
    for (let at = 0; ; at += 1) {
      const world = await aWorld();
      const view = await it_.prepare(world);
      const prepared = world.doubles.production.audit.length;
      let sends = 0;
      for (const environment of ['sandbox', 'production'] as const) {
        const double = world.doubles[environment];
        const send = double.send;
        double.send = async (request) => {
          sends += 1;
          if (sends !== at + 1) return await send(request);
          if (how !== 'away') await send(request);
          return { kind: 'refusal', refusal: { code: 'environment_unavailable' } } as never;
        };
      }
      const first = await tried(() => it_.run(world, view));
      if (sends <= at) break;
      expect(first === 'unavailable').toBe(false);
      await settle(world, view, it_, first);
      const carried = world.doubles.production.audit
        .slice(prepared)
        .filter(({ repeat }) => !repeat)
        .map(({ action }) => action);
      expect(new Set(carried).size).toBe(carried.length);
    }
  });
});

describe('two decisions at the same time', () => {
  it.each(inTurn(lasting))('have one winner when $fault, $duration', async ({ met, duration }) => {
    for (let at = 0; at < 12; at += 1) {
      const world = await aWorld();
      const view = await submitted(world);
      proxy.plan(...planAt(at, met, duration));
      const both = await Promise.all([
        tried(() => decide(world, view, { act: 'approve' })),
        tried(() => decide(world, view, { act: 'reject', ...against }, otherOperator)),
      ]);
      proxy.plan();
      expect(both.filter(isGood).length).toBeLessThanOrEqual(1);
      expect((await runOutboxWorker(world)).left).toBe(0);
      const after = await shown(world, view);
      const decisions = after.timeline.filter((event) => ['approve', 'reject'].includes(event.act));
      expect(decisions.length).toBeLessThanOrEqual(1);
      if (both.some(isGood)) expect(decisions).toHaveLength(1);
      expect(clientOf(world, after)).toBe(after.state === 'approved' ? 'active' : 'suspended');
    }
  });
});

describe('a registration', () => {
  it.each(inTurn(lasting))('when $fault, $duration', async ({ met, duration }) => {
    let at = 0;
    for (; ; at += 1) {
      const world = await aWorld();
      const session = { ...developer, teamId: `team-${met}-${duration}-${at}-${Math.random()}` };
      const listed = async () =>
        bodyOf<{ applications: { applicationId: string }[] }>(await call(world, 'applications', { session }))
          .applications;
      proxy.plan(...planAt(at, met, duration));
      const first = await tried(() =>
        call(world, 'registerApplication', { session, body: { configuration: configuration() } }),
      );
      const calls = proxy.calls.length;
      proxy.plan();
      if (calls <= at) break;
      expect((await runOutboxWorker(world)).left).toBe(0);
      const there = await listed();
      expect(there.length).toBeLessThanOrEqual(1);
      if (isGood(first)) expect(there).toHaveLength(1);
      // Each application has one client, created once.
      expect(world.doubles.sandbox.clients.size).toBe(there.length);
      expect(world.doubles.production.clients.size).toBe(0);
    }
    expect(at).toBeGreaterThanOrEqual(3);
  });
});

describe('a rotation', () => {
  it.each(inTurn(lasting))('when $fault, $duration', async ({ met, duration }) => {
    let at = 0;
    for (; ; at += 1) {
      const world = await aWorld();
      const view = await registered(world);
      const session = { ...developer, secretsOpenUntil: world.clock.now / 1000 + 300 };
      const params = { applicationId: view.applicationId, environment: 'sandbox' };
      const rotate = () =>
        call(world, 'rotateSecret', {
          session,
          params,
          body: { requestId: 'rotation-1', overlapSeconds: 3600 },
        });
      proxy.plan(...planAt(at, met, duration));
      const first = await tried(rotate);
      const calls = proxy.calls.length;
      proxy.plan();
      if (calls <= at) break;
      const again = bodyOf<{ clientSecret: string }>(await rotate());
      if (isGood(first))
        expect(bodyOf<{ clientSecret: string }>(first as PortalResult).clientSecret).toBe(again.clientSecret);
      expect(world.client('sandbox', view.sandbox.clientId)?.secrets).toHaveLength(2);
      const events = (await shown(world, view)).timeline.filter((event) => event.act === 'rotate_secret');
      expect(events).toHaveLength(1);
    }
    expect(at).toBeGreaterThanOrEqual(2);
  });

  it('of a developer whose session shows no secrets shows none', async () => {
    const world = await aWorld();
    const view = await registered(world);
    for (const secretsOpenUntil of [undefined, world.clock.now / 1000 - 1]) {
      const session = { ...developer, ...(secretsOpenUntil === undefined ? {} : { secretsOpenUntil }) };
      const params = { applicationId: view.applicationId, environment: 'sandbox' };
      const body = { requestId: 'rotation-1', overlapSeconds: 0 };
      expect(problemOf(await call(world, 'rotateSecret', { session, params, body })).problem).toBe(
        'password_needed',
      );
    }
    expect(world.client('sandbox', view.sandbox.clientId)?.secrets).toHaveLength(1);
  });
});
