import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import { type PortalOutbox, runOutboxRounds } from '../../../lambdas/portal/adapters/outbox.ts';
import { problem } from '../../../lambdas/portal/api/route-handler.ts';
import { environmentDeadlines } from '../../../lambdas/portal/catalog/environment-deadlines.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import { configuration } from '../applications/configurations.ts';
import {
  act,
  approved,
  bodyOf,
  decide,
  portalWorld,
  problemOf,
  registered,
  runOutboxWorker,
  shown,
  submitted,
} from '../applications/portal-world.ts';

const table = await createEmptyTable();

describe('a crash or an environment that is away', () => {
  it('loses no registration: the client is made once, when the environment is back', async () => {
    const world = portalWorld(table);
    world.away.sandbox = true;
    const view = await registered(world);
    expect(view).toMatchObject({ state: 'registered_in_sandbox', sandbox: { clientId: '' } });
    expect(
      problemOf(await act(world, 'updateSandbox', view, { configuration: configuration() })).problem,
    ).toBe('environment_unavailable');
    expect((await runOutboxWorker(world)).left).toBe(1);
    world.away.sandbox = false;
    await runOutboxWorker(world);
    await runOutboxWorker(world);
    expect(world.doubles.sandbox.clients.size).toBe(1);
    const { sandbox } = await shown(world, view);
    expect(world.client('sandbox', sandbox.clientId)?.state).toBe('active');
  });

  it.each([
    ['its function fails', { kind: 'refusal', refusal: { code: 'environment_unavailable', reached: true } }],
    ['it refuses them', { kind: 'refusal', refusal: { code: 'client_not_found' } }],
  ] as const)('lets no entries keep another back for which %s', async (_why, answer) => {
    const world = portalWorld(table);
    world.away.sandbox = true;
    const stuck: string[] = [];
    for (let count = 0; count < 5; count += 1) stuck.push((await registered(world)).applicationId);
    const last = await registered(world);
    world.away.sandbox = false;
    const { send } = world.portal.environments;
    Object.assign(world.portal.environments, {
      send: async (...given: Parameters<typeof send>) =>
        stuck.some((id) => JSON.stringify(given[1]).includes(id)) ? answer : await send(...given),
    });
    expect(await runOutboxWorker(world)).toEqual({ done: 1, left: 5 });
    expect((await shown(world, last)).sandbox.clientId).not.toBe('');
    Object.assign(world.portal.environments, { send });
    expect(await runOutboxWorker(world)).toEqual({ done: 5, left: 0 });
  });

  it('waits three times for an environment that is away, and not once for each entry', async () => {
    const world = portalWorld(table);
    world.away.sandbox = true;
    for (let count = 0; count < 5; count += 1) await registered(world);
    let asked = 0;
    const { send } = world.portal.environments;
    Object.assign(world.portal.environments, {
      send: async (...given: Parameters<typeof send>) => {
        asked += 1;
        return await send(...given);
      },
    });
    expect(await runOutboxWorker(world)).toEqual({ done: 0, left: 5 });
    expect(asked).toBe(3);
    world.away.sandbox = false;
    expect(await runOutboxWorker(world)).toEqual({ done: 5, left: 0 });
  });

  it('finds the client again that was made by a call whose answer was lost', async () => {
    const world = portalWorld(table);
    const { keepClient } = world.portal.applications;
    let crashes = 1;
    Object.assign(world.portal.applications, {
      keepClient: async (...given: Parameters<typeof keepClient>) => {
        if (crashes > 0) {
          crashes -= 1;
          throw new Error('crash between the environment and the table');
        }
        await keepClient(...given);
      },
    });
    const view = await registered(world);
    expect(view.sandbox.clientId).toBe('');
    await runOutboxWorker(world);
    expect(world.doubles.sandbox.clients.size).toBe(1);
    expect(world.doubles.sandbox.clients.has((await shown(world, view)).sandbox.clientId)).toBe(true);
  });

  it('keeps an approval, and carries it out once when production is back', async () => {
    const world = portalWorld(table);
    const view = await submitted(world);
    world.away.production = true;
    const done = bodyOf(await decide(world, view, { act: 'approve' }));
    const clientId = done.production?.clientId ?? '';
    expect(done.state).toBe('approved');
    expect(world.client('production', clientId)?.state).toBe('suspended');
    world.away.production = false;
    world.sent.length = 0;
    expect(await runOutboxWorker(world)).toEqual({ done: 1, left: 0 });
    expect(world.client('production', clientId)?.state).toBe('active');
    expect(await runOutboxWorker(world)).toEqual({ done: 0, left: 0 });
    expect(world.sent.filter(({ action }) => action === 'resume')).toHaveLength(1);
  });

  it('carries out once what was written before the function ended', async () => {
    const world = portalWorld(table);
    const view = await submitted(world);
    const { carryOut } = world.portal.outbox;
    Object.assign(world.portal.outbox, { carryOut: async () => await Promise.reject(new Error('crash')) });
    bodyOf(await decide(world, view, { act: 'approve' }));
    Object.assign(world.portal.outbox, { carryOut });
    const clientId = view.production?.clientId ?? '';
    expect(world.client('production', clientId)?.state).toBe('suspended');
    world.mails.length = 0;
    world.sent.length = 0;
    expect(await runOutboxWorker(world)).toEqual({ done: 3, left: 0 });
    expect(await runOutboxWorker(world)).toEqual({ done: 0, left: 0 });
    expect(world.client('production', clientId)?.state).toBe('active');
    expect(world.sent.filter(({ action }) => action === 'resume')).toHaveLength(1);
    expect(world.mails).toHaveLength(2);
  });

  it('does not say that an application is stopped before it is, and stops it later all the same', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    world.away.production = true;
    const answer = problemOf(await decide(world, view, { act: 'suspend', reason: 'Complaints.' }));
    expect(answer).toMatchObject({
      problem: 'act_pending',
      current: { state: 'suspended', pending: [{ environment: 'production' }] },
    });
    expect(await shown(world, view)).toMatchObject({
      state: 'suspended',
      pending: [{ environment: 'production', since: expect.any(String) }],
    });
    world.away.production = false;
    await runOutboxWorker(world);
    expect(world.client('production', view.production?.clientId ?? '')?.state).toBe('suspended');
    expect(await shown(world, view)).not.toHaveProperty('pending');
  });

  it.each([
    ['suspend', 'suspended'],
    ['revoke', 'revoked'],
  ] as const)('carries %s out when it is repeated, and keeps one event of it', async (name, state) => {
    const world = portalWorld(table);
    const view = await approved(world);
    const again = async () => await decide(world, view, { act: name, reason: 'Complaints.' });
    const client = () => world.client('production', view.production?.clientId ?? '')?.state;
    world.away.production = true;
    expect(problemOf(await again()).problem).toBe('act_pending');
    expect(problemOf(await again()).problem).toBe('act_pending');
    expect(client()).toBe('active');
    world.away.production = false;
    expect(bodyOf(await again())).toMatchObject({ state });
    expect(client()).toBe(state);
    expect(problemOf(await again())).toEqual(
      problem('state_conflict', { state, allowed: state === 'suspended' ? ['resume', 'revoke'] : [] }),
    );
    const events = (await shown(world, view)).timeline.filter((event) => event.act === name);
    expect(events).toHaveLength(1);
  });

  it('repeats an act for nobody but who may take it', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    world.away.production = true;
    await decide(world, view, { act: 'revoke', reason: 'Complaints.' });
    world.away.production = false;
    expect(problemOf(await act(world, 'withdraw', view)).problem).toBe('state_conflict');
    expect(world.client('production', view.production?.clientId ?? '')?.state).toBe('active');
    await runOutboxWorker(world);
  });

  it('stops an application although the answer of the transaction that says so is lost', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const { commit } = world.portal.applications;
    Object.assign(world.portal.applications, {
      commit: async (...given: Parameters<typeof commit>) => {
        await commit(...given);
        throw new StoreUnavailable('the answer is lost');
      },
    });
    const answer = bodyOf(await decide(world, view, { act: 'suspend', reason: 'Complaints.' }));
    expect(answer).toMatchObject({ state: 'suspended' });
    expect(world.client('production', view.production?.clientId ?? '')?.state).toBe('suspended');
  });

  it('says what is known when the store goes away after the transaction', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const { commit, load } = world.portal.applications;
    const gone = async () => await Promise.reject(new StoreUnavailable('away'));
    const { carryOut } = world.portal.outbox;
    Object.assign(world.portal.applications, {
      commit: async (...given: Parameters<typeof commit>) => {
        const ids = await commit(...given);
        Object.assign(world.portal.applications, { load: gone });
        Object.assign(world.portal.outbox, { carryOut: gone });
        return ids;
      },
    });
    const suspend = async () => await decide(world, view, { act: 'suspend', reason: 'Complaints.' });
    expect(problemOf(await suspend())).toEqual(problem('act_pending'));
    Object.assign(world.portal.applications, { commit, load });
    Object.assign(world.portal.outbox, { carryOut });
    expect(world.client('production', view.production?.clientId ?? '')?.state).toBe('active');
    expect((await shown(world, view)).pending).toHaveLength(1);
    expect(bodyOf(await suspend())).toMatchObject({ state: 'suspended' });
    expect(world.client('production', view.production?.clientId ?? '')?.state).toBe('suspended');
  });

  it('does not say that nothing was saved where the answer is lost and the store gone', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const { commit, load } = world.portal.applications;
    Object.assign(world.portal.applications, {
      commit: async (...given: Parameters<typeof commit>) => {
        await commit(...given);
        Object.assign(world.portal.applications, {
          load: async () => await Promise.reject(new StoreUnavailable('away')),
        });
        throw new StoreUnavailable('the answer is lost');
      },
    });
    const suspend = async () => await decide(world, view, { act: 'suspend', reason: 'Complaints.' });
    expect(problemOf(await suspend())).toMatchObject({
      problem: 'unavailable',
      detail: expect.stringContaining('does not know whether this was saved'),
    });
    Object.assign(world.portal.applications, { commit, load });
    expect(bodyOf(await suspend())).toMatchObject({ state: 'suspended' });
    expect((await shown(world, view)).timeline.filter((event) => event.act === 'suspend')).toHaveLength(1);
  });

  it('answers with what is known before the function’s time is over', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const { commit } = world.portal.applications;
    Object.assign(world.portal.applications, {
      commit: async (...given: Parameters<typeof commit>) => {
        const ids = await commit(...given);
        world.pass(environmentDeadlines.lastStepMs);
        return ids;
      },
    });
    world.sent.length = 0;
    const answer = await decide(world, view, { act: 'suspend', reason: 'Complaints.' });
    expect(problemOf(answer)).toEqual(problem('act_pending'));
    expect(world.sent).toEqual([]);
    Object.assign(world.portal.applications, { commit });
    await runOutboxWorker(world);
    expect(world.client('production', view.production?.clientId ?? '')?.state).toBe('suspended');
  });

  it.each([
    'suspend',
    'revoke',
  ] as const)('has not carried %s out while a key still lets calls in', async (name) => {
    const world = portalWorld(table);
    const view = await approved(world);
    const { provisioning, held } = world.doubles.production;
    const { keys } = provisioning;
    const lost = async () => await Promise.reject(new StoreUnavailable('away'));
    Object.assign(provisioning, { keys: { ...keys, enable: lost, delete: lost } });
    const again = async () => await decide(world, view, { act: name, reason: 'Complaints.' });
    const { send } = world.portal.environments;
    const failed = { kind: 'refusal', refusal: { code: 'environment_unavailable', reached: true } } as const;
    Object.assign(world.portal.environments, {
      send: async (...given: Parameters<typeof send>) => await send(...given).catch(() => failed),
    });
    expect(problemOf(await again()).problem).toBe('act_pending');
    expect(problemOf(await again()).problem).toBe('act_pending');
    Object.assign(provisioning, { keys });
    expect(bodyOf(await again())).not.toHaveProperty('pending');
    expect([...held.values()].filter(({ enabled }) => enabled)).toEqual([]);
  });

  it('is made good within seconds of the store’s return, too', async () => {
    let rounds = 0;
    let now = 0;
    const carryOutLeft = async () => {
      rounds += 1;
      if (rounds < 6) throw new StoreUnavailable('away');
      return { done: 1, left: 0 };
    };
    const sleep = async (milliseconds: number) => {
      now += milliseconds;
    };
    const result = await runOutboxRounds({ carryOutLeft }, { now: () => now, sleep });
    expect(result.left).toBe(0);
    expect(result.done).toBe(rounds - 5);
    rounds = -100;
    await expect(runOutboxRounds({ carryOutLeft }, { now: () => now, sleep })).rejects.toThrow(
      StoreUnavailable,
    );
  });

  it('is made good within seconds of the environment’s return', async () => {
    const world = portalWorld(await createEmptyTable());
    const view = await approved(world);
    world.away.production = true;
    await decide(world, view, { act: 'suspend', reason: 'Complaints.' });
    const outbox = (world.portal as unknown as { readonly outbox: PortalOutbox }).outbox;
    const begun = world.clock.now;
    let stoppedAfter: number | undefined;
    await runOutboxRounds(outbox, {
      now: () => world.clock.now,
      async sleep(milliseconds) {
        const isStopped = world.client('production', view.production?.clientId ?? '')?.state === 'suspended';
        if (isStopped) stoppedAfter ??= world.clock.now - begun - 20_000;
        world.pass(milliseconds);
        world.away.production = world.clock.now - begun < 20_000;
      },
    });
    expect(stoppedAfter).toBeLessThan(5_000);
    expect(world.clock.now - begun).toBeLessThan(60_000);
  });

  it('ends where the last decision led, whatever was left undone before it', async () => {
    const world = portalWorld(table);
    const view = await submitted(world);
    world.away.production = true;
    bodyOf(await decide(world, view, { act: 'approve' }));
    await decide(world, await shown(world, view), { act: 'suspend', reason: 'On second thought.' });
    world.away.production = false;
    await runOutboxWorker(world);
    expect(world.client('production', view.production?.clientId ?? '')?.state).toBe('suspended');
    expect(
      world.sent.filter(({ environment, action }) => environment === 'production' && action === 'resume'),
    ).toEqual([]);
  });

  it('lets nobody back in whom an operator of the environment has stopped', async () => {
    const world = portalWorld(table);
    const view = await approved(world);
    const clientId = view.production?.clientId ?? '';
    await world.doubles.production.send({ action: 'suspend', requestId: 'by-hand-1', clientId });
    const accepted = { textVersion: '2026-11-22', scrolledToEnd: true, accepted: true };
    bodyOf(await act(world, 'attest', view, accepted));
    expect(world.client('production', clientId)).toMatchObject({ state: 'suspended', attested: true });
  });
});
