import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';
import { tokenActs } from './token-acts.ts';

/** Assertions, connected apps, introspection and UserInfo × every store call they make × every fault. */

// What failed is tried again at once, and silence given up sooner: the tests don't wait for it.
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
