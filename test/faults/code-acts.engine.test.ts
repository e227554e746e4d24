import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { codeActs } from './code-acts.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';

/** Breaks each store call of the steps of a sign-in with a verification code with every fault. */

// Retries are instant and timeouts short, so that the tests do not wait.
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const world = await startWholeWorld({ MEMBER_VERIFICATION: 'always' });
afterAll(() => world.stop());

describe.each(codeActs)('$name', (act) => {
  it.each(inTurn(distinctCases, act.name))('when $fault, $duration', async (broken) =>
    await breakEveryCall(world, act, broken));
});
