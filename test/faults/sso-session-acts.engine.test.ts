import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';
import { ssoSessionActs } from './sso-session-acts.ts';

/**
 * Each act on an SSO session × every store call it makes × every fault: no code without its event, no open
 * door, and an answer that says what it is.
 */

// What failed is tried again at once, and silence given up sooner: the tests don't wait for it.
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const world = await startWholeWorld();
afterAll(() => world.stop());

describe.each(ssoSessionActs)('$name', (act) => {
  it.each(inTurn(distinctCases, act.name))('when $fault, $duration', async (broken) =>
    await breakEveryCall(world, act, broken));
});
