import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';
import { represent, representativeActs } from './representative-acts.ts';

/** The acts of a personal representative × every store call they make × every fault: one choice and one grant, each on the patient's record. */

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
