import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { codeActs } from './code-acts.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';

/** The steps of a sign-in with a code × every store call they make × every fault. */

// What failed is tried again at once, and silence given up sooner: the tests don't wait for it.
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const world = await startWholeWorld({ MEMBER_VERIFICATION: 'always' });
afterAll(() => world.stop());

describe.each(codeActs)('$name', (act) => {
  it.each(inTurn(distinctCases, act.name))('when $fault, $duration', async (broken) =>
    await breakEveryCall(world, act, broken));
});
