import { afterAll, describe, expect, it, vi } from 'vitest';
import { grantKey } from '../../lambdas/platform/table/table-keys.ts';
import { theMember } from '../authorization/builders.ts';
import { eventOf } from '../authorization/events.ts';
import { authorizationQuery, obtainCode, tokenCall } from '../authorization/journey.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { cases, planAt } from './faults.ts';

/** Breaks each store call of a Patient read with every fault: no data is sent without an active grant and a durable audit event. */

vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const world = await startWholeWorld();
afterAll(() => world.stop());
const application = await world.application();
const { clientId } = application.client;
const code = await obtainCode(world, authorizationQuery(clientId));
const token = JSON.parse((await world.token(eventOf(tokenCall(clientId, code)))).body).access_token;
const grantId = String((await world.grantOf(token))?.grantId);
expect(await world.read(application, token)).toBe(200);

/** Counts the disclosures in the audit that no later event corrects. */
async function disclosures(): Promise<number> {
  const { items } = await world.table.query({ pk: `AUDIT#DSNP#PATIENT#${theMember.patientId}` });
  const corrected = new Set(items.map(({ corrects }) => corrects));
  return items.filter((item) => item.outcome === 'disclosed' && !corrected.has(String(item.sk).split('#')[1]))
    .length;
}

async function setGrant(state: 'active' | 'revoked'): Promise<void> {
  await world.table.update({
    key: grantKey('DSNP', theMember.patientId, grantId),
    expression: 'SET #state = :state',
    condition: 'attribute_exists(pk)',
    names: { '#state': 'state' },
    values: { ':state': state },
  });
}

describe.each(['active', 'revoked'] as const)('a read under a grant that is %s', (state) => {
  it.each(cases)('when $fault, $duration', async ({ met, duration }) => {
    await setGrant(state);
    let at = 0;
    for (; ; at += 1) {
      const before = await disclosures();
      world.proxy.plan(...planAt(at, met, duration));
      const status = await world.read(application, token);
      const calls = world.proxy.calls.length;
      world.proxy.plan();
      if (calls <= at) break;
      expect(state === 'active' ? [200, 503] : [401, 503]).toContain(status);
      if (status === 200) expect(await disclosures()).toBe(before + 1);
    }
    expect(at).toBeGreaterThanOrEqual(3);
    await setGrant('active');
  });
});
