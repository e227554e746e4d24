import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';
import { tokenActs } from './token-acts.ts';

/** Breaks each store call of client assertions, connected apps, introspection and UserInfo with every fault. */

// Retries are instant and timeouts short, so that the tests do not wait.
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
const world = await startWholeWorld();
afterAll(async () => {
  vi.useRealTimers();
  await world.stop();
});

describe.each(tokenActs)('$name', (act) => {
  it.each(inTurn(distinctCases, act.name))('when $fault, $duration', async (broken) =>
    await breakEveryCall(world, act, broken));
});
