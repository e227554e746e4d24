import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { activationActs } from './activation-acts.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';

/** Breaks each store call of the code check of an account activation with every fault. */

vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const world = await startWholeWorld();
afterAll(() => world.stop());

describe.each(activationActs)('$name', (act) => {
  it.each(inTurn(distinctCases, act.name))('when $fault, $duration', async (broken) =>
    await breakEveryCall(world, act, broken));
});
