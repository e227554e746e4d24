import { afterAll, describe, it, vi } from 'vitest';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { breakEveryCall } from './every-call.ts';
import { distinctCases } from './faults.ts';
import { ssoSessionActs } from './sso-session-acts.ts';

/**
 * Breaks each store call of each act on an SSO session with every fault: no code is issued without its event, no session opens without a
 * sign-in, and the answer is true.
 */

// Retries are instant and timeouts short, so that the tests do not wait.
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const world = await startWholeWorld();
afterAll(() => world.stop());

describe.each(ssoSessionActs)('$name', (act) => {
  it.each(inTurn(distinctCases, act.name))('when $fault, $duration', async (broken) =>
    await breakEveryCall(world, act, broken));
});
