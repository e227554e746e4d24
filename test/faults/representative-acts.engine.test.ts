import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';
import { represent, representativeActs } from './representative-acts.ts';

/**
 * Breaks each store call of the acts of a personal representative with every fault: there is one choice and one grant, each in the
 * patient's audit.
 */

vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const world = await startWholeWorld();
afterAll(() => world.stop());
await represent(world);

describe.each(representativeActs)('$name', (act) => {
  it.each(inTurn(distinctCases, act.name))('when $fault, $duration', async (broken) =>
    await breakEveryCall(world, act, broken));
});
