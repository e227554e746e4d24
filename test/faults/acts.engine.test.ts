import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { acts } from './acts.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';

/**
 * Every one-shot act × every store call it makes × every fault: never two winners, no acknowledged write lost, no open
 * door, and an answer that says what it is.
 */

// What failed is tried again at once, and silence given up sooner: the tests don't wait for it.
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const world = await startWholeWorld();
afterAll(() => world.stop());

describe.each(acts)('$name', (act) => {
  it.each(inTurn(distinctCases, act.name))('when $fault, $duration', async (broken) =>
    await breakEveryCall(world, act, broken));
});
