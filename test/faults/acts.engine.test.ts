import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { acts } from './acts.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';

/**
 * Breaks each store call of every one-time act with every fault: an act never succeeds twice, no acknowledged write is lost, nobody gets
 * access without authorization, and the answer is true.
 */

// Retries are instant and timeouts short, so that the tests do not wait.
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const world = await startWholeWorld();
afterAll(() => world.stop());

describe.each(acts)('$name', (act) => {
  it.each(inTurn(distinctCases, act.name))('when $fault, $duration', async (broken) =>
    await breakEveryCall(world, act, broken));
});
