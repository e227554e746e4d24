import { afterAll, describe, expect, it, vi } from 'vitest';
import { provision } from '../../lambdas/clients/provisioning/provisioning.ts';
import type { ProvisioningAnswer } from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import type { ProvisioningServices } from '../../lambdas/clients/provisioning/provisioning-ports.ts';
import { isLive } from '../../lambdas/clients/provisioning/rotation.ts';
import { createClientRegistry } from '../../lambdas/clients/store/client-registry.ts';
import { StoreUnavailable } from '../../lambdas/platform/table/table.ts';
import { provisioningDouble, registration } from '../clients/provisioning/provisioning-double.ts';
import { startBreakableTable } from '../support/breakable-table.ts';
import { inTurn } from '../support/matrix-turn.ts';
import { distinctCases, planAt } from './faults.ts';

/** Breaks each store call of provisioning's acts with every fault. A request can always be repeated, and the repeat completes the act. */

vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeouts(await original()),
);

const { table, breakable, proxy, stop } = await startBreakableTable();
afterAll(() => stop());

let serial = 0;

/** Provisioning over the real table with planned faults; API Gateway's keys and the cipher are in memory. */
function aWorld() {
  serial += 1;
  const mine = serial;
  const double = provisioningDouble();
  let uuids = 0;
  const provisioning: ProvisioningServices = {
    ...double.provisioning,
    registry: createClientRegistry(breakable, 'sandbox'),
    random: {
      ...double.provisioning.random,
      uuid: () => {
        uuids += 1;
        return `world-${mine}-${uuids}`;
      },
    },
  };
  return { ...double, provisioning, registry: createClientRegistry(table, 'sandbox') };
}

type World = ReturnType<typeof aWorld>;
type Answer = ProvisioningAnswer | 'unavailable';

async function send(world: World, payload: object): Promise<Answer> {
  try {
    return await provision(world.provisioning, payload);
  } catch (error) {
    // Any other error is a defect.
    expect(error).toBeInstanceOf(StoreUnavailable);
    return 'unavailable';
  }
}

async function registeredIn(world: World): Promise<string> {
  const act = { action: 'register', requestId: `setup-${serial}-x`, registration: registration() };
  const answer = await provision(world.provisioning, act);
  if (answer.kind !== 'credentials') throw new Error('not registered');
  return answer.credentials.clientId;
}

async function eventsOf(clientId: string, action: string): Promise<number> {
  const { items } = await table.query({ pk: `AUDIT#M2M#CLIENT#${clientId}` });
  return items.filter((item) => item.action === action && item.reason !== 'repeated').length;
}

/** Creates a second secret or key beside the first. */
const rotatedBefore = (action: 'rotate-secret' | 'rotate-key') => async (world: World, clientId: string) => {
  const created = new Date(world.clock.now).toISOString();
  world.clock.now += 1_000;
  const rotation = { action, requestId: `setup-${serial}-y`, clientId, overlapSeconds: 60 };
  expect(await provision(world.provisioning, rotation)).toMatchObject({ kind: 'rotated' });
  return created;
};

interface Act {
  readonly action: string;
  /**
   * Steps without a fault before the act.
   *
   * @returns the time at which the older credential was created
   */
  readonly before?: (world: World, clientId: string) => Promise<string>;
  readonly payload: (clientId: string, requestId: string, createdAt?: string) => object;
  /** Checks the state after the answer. */
  readonly holds: (world: World, clientId: string, answer: ProvisioningAnswer) => Promise<void>;
}

const stateIs = (state: string) => async (world: World, clientId: string) => {
  expect((await world.registry.client(clientId))?.state).toBe(state);
  expect([...world.held.values()].every(({ enabled }) => enabled === (state === 'active'))).toBe(true);
};

const acts: readonly Act[] = [
  {
    action: 'suspend',
    payload: (clientId, requestId) => ({ action: 'suspend', requestId, clientId }),
    holds: stateIs('suspended'),
  },
  {
    action: 'revoke',
    payload: (clientId, requestId) => ({ action: 'revoke', requestId, clientId }),
    holds: stateIs('revoked'),
  },
  {
    action: 'rotate-secret',
    payload: (clientId, requestId) => ({ action: 'rotate-secret', requestId, clientId, overlapSeconds: 60 }),
    async holds(world, clientId, answer) {
      const secret = answer.kind === 'rotated' ? answer.rotated.clientSecret : undefined;
      const { secrets = [] } = (await world.registry.client(clientId)) ?? {};
      expect(secrets).toHaveLength(2);
      expect(secrets.map(({ sha256 }) => sha256)).toContain(world.provisioning.sha256(secret ?? ''));
    },
  },
  {
    action: 'rotate-key',
    payload: (clientId, requestId) => ({ action: 'rotate-key', requestId, clientId, overlapSeconds: 60 }),
    async holds(world, clientId, answer) {
      const key = answer.kind === 'rotated' ? answer.rotated.subscriptionKey : undefined;
      const { subscriptionKeys = [], meteringKey } = (await world.registry.client(clientId)) ?? {};
      expect(subscriptionKeys).toHaveLength(2);
      expect(subscriptionKeys.map(({ sha256 }) => sha256)).toContain(world.provisioning.sha256(key ?? ''));
      // API Gateway has as many keys as the table; none is left behind.
      const known = [...subscriptionKeys, meteringKey].map((each) => each?.apiKeyId);
      expect([...world.held.keys()].sort()).toEqual(known.sort());
    },
  },
  {
    action: 'stop-secret',
    before: rotatedBefore('rotate-secret'),
    payload: (clientId, requestId, createdAt) => ({ action: 'stop-secret', requestId, clientId, createdAt }),
    async holds(world, clientId) {
      const { secrets = [] } = (await world.registry.client(clientId)) ?? {};
      expect(secrets.map(({ createdAt }) => Date.parse(createdAt))).toEqual([world.clock.now]);
    },
  },
  {
    action: 'stop-key',
    before: rotatedBefore('rotate-key'),
    payload: (clientId, requestId, createdAt) => ({ action: 'stop-key', requestId, clientId, createdAt }),
    async holds(world, clientId) {
      const { subscriptionKeys = [] } = (await world.registry.client(clientId)) ?? {};
      const live = subscriptionKeys.filter((key) => isLive(key, world.clock.now));
      expect(live.map(({ createdAt }) => Date.parse(createdAt))).toEqual([world.clock.now]);
    },
  },
];

describe.each(acts)('$action', ({ action, before, payload, holds }) => {
  it.each(inTurn(distinctCases, action))('when $fault, $duration', async ({ met, duration }) => {
    let at = 0;
    for (; ; at += 1) {
      const world = aWorld();
      proxy.plan();
      const clientId = await registeredIn(world);
      const createdAt = await before?.(world, clientId);
      const act = payload(clientId, `request-${serial}`, createdAt);
      proxy.plan(...planAt(at, met, duration));
      const first = await send(world, act);
      const calls = proxy.calls.length;
      proxy.plan();
      if (calls <= at) break;
      if (first !== 'unavailable') await holds(world, clientId, first);
      const again = await send(world, act);
      expect(again).not.toMatchObject({ kind: 'refusal' });
      if (first !== 'unavailable') expect(again).toEqual(first);
      if (again !== 'unavailable') await holds(world, clientId, again);
      expect(await eventsOf(clientId, `client.${action}`)).toBe(1);
    }
    expect(at).toBeGreaterThanOrEqual(3);
  });
});

describe('register', () => {
  it.each(inTurn(distinctCases))('when $fault, $duration', async ({ met, duration }) => {
    let at = 0;
    for (; ; at += 1) {
      const world = aWorld();
      const act = { action: 'register', requestId: `register-${serial}`, registration: registration() };
      proxy.plan(...planAt(at, met, duration));
      const first = await send(world, act);
      const calls = proxy.calls.length;
      proxy.plan();
      if (calls <= at) break;
      const again = await send(world, act);
      if (again === 'unavailable' || again.kind !== 'credentials') throw new Error('not registered');
      if (first !== 'unavailable') expect(again).toEqual(first);
      const { clientId, clientSecret = '', subscriptionKey } = again.credentials;
      const client = await world.registry.client(clientId);
      expect(client?.secrets.map(({ sha256 }) => sha256)).toEqual([world.provisioning.sha256(clientSecret)]);
      const values = [...world.held.values()].map(({ value }) => value);
      expect(values.sort()).toEqual([subscriptionKey, client?.meteringKey?.value].sort());
      expect(await eventsOf(clientId, 'client.register')).toBe(1);
    }
    expect(at).toBeGreaterThanOrEqual(3);
  });
});
