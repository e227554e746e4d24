import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { putAuditEvent } from '../../lambdas/audit/store/audit-events-contract.ts';
import { theMember } from '../authorization/builders.ts';
import { inTurn } from '../support/matrix-turn.ts';
import { startWholeWorld } from '../support/whole-world.ts';
import { lastingTokens } from './act.ts';
import { distinctCases, planAt } from './faults.ts';

/**
 * Breaks each store call of an operator's request to end a member's grants with every fault: no grant ends without its event, none is
 * recorded twice, and a repeat ends the rest.
 */

// Retries are instant and timeouts short, so that the tests do not wait.
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const { patientId } = theMember;
const world = await startWholeWorld();
afterAll(() => world.stop());
const { handler: operate } = await import('../../lambdas/authorization/operator-grants.handler.ts');
await putAuditEvent(world.table, {
  ...{ eventId: randomUUID(), time: '2026-01-01T00:00:00.000Z', environment: 'sandbox', lob: 'DSNP' },
  ...{ action: 'member.load', outcome: 'succeeded', actor: 'ingest', patientId, requestId: 'load' },
});

const end = (requestId: string) =>
  operate({
    ...{ action: 'end', lob: 'DSNP', member: { patientId }, applications: 'all' },
    ...{ reason: 'member_asked', requestId },
  });

describe('an operator’s end of all that is shared', () => {
  it.each(inTurn(distinctCases))('when $fault, $duration', async ({ met, duration }) => {
    for (let at = 0; ; at += 1) {
      const applications = [await world.application(), await world.application()];
      const tokens = await Promise.all(applications.map((each) => lastingTokens(world, each)));
      const requestIds = [randomUUID(), randomUUID()] as const;
      world.proxy.plan(...planAt(at, met, duration));
      const first = await end(requestIds[0]).catch((error: Error) => error.message);
      const calls = world.proxy.calls.length;
      world.proxy.plan();
      if (typeof first === 'string') expect(first).toContain('repeating the same request is safe');
      expect(await end(requestIds[1])).toMatchObject({ kind: 'ended' });
      for (const [index, application] of applications.entries()) {
        const token = tokens[index]?.access_token ?? '';
        expect(await world.read(application, token)).toBe(401);
        const events = await Promise.all(requestIds.map((id) => world.eventsOf(application, id)));
        const own = events.flat().filter(({ clientId }) => clientId === application.client.clientId);
        expect(own.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(['grant.end succeeded']);
        expect(await world.grantOf(token)).toMatchObject({ state: 'revoked', grantId: own[0]?.grantId });
      }
      if (calls <= at) break;
    }
  });
});
