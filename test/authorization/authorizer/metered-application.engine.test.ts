import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMeteredApplications } from '../../../lambdas/authorization/authorizer/metered-application.ts';
import { createSubscriptionKeys } from '../../../lambdas/authorization/authorizer/subscription-key.ts';
import { createClientRegistry } from '../../../lambdas/clients/store/client-registry.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { registration } from '../../clients/provisioning/provisioning-double.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';

const time = '2026-03-02T10:00:00.000Z';
const meteringKey = { apiKeyId: 'k2', value: 'a-metering-key-of-forty-characters-xxxxx' };
const client = {
  ...registration({ linesOfBusiness: ['DSNP'], products: ['patient-access', 'payer-access'] }),
  ...{ clientId: 'client-1', state: 'active' as const, secrets: [], createdAt: time, updatedAt: time },
  subscriptionKeys: [{ apiKeyId: 'k1', sha256: 'digest', createdAt: time }],
  meteringKey,
} as const;

describe('the application of a token', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startTestEngine();
    const request = {
      requestId: 'request-1',
      action: 'register',
      fingerprint: 'f',
      clientId: 'client-1',
    } as const;
    await createClientRegistry(createSignedTable(engine), 'sandbox').commit({
      after: client,
      request: { ...request, encryptedAnswer: 'a', expiresAt: 1_900_000_000 },
      eventId: 'event-1',
    });
  });
  afterAll(async () => {
    await engine.stop();
  });

  it('is what provisioning wrote of it, in its own lines of business', async () => {
    const found = await createMeteredApplications(createSignedTable(engine), 'DSNP')('client-1');
    expect(found).toEqual({
      ...{ kind: 'active', clientId: 'client-1', products: ['patient-access', 'payer-access'] },
      meteringKey: meteringKey.value,
    });
    const elsewhere = await createMeteredApplications(createSignedTable(engine), 'MAPD')('client-1');
    expect(elsewhere).toEqual({ kind: 'refusal', reason: 'key_unknown' });
  });

  it('is metered by a key that lets nobody in who sends it', async () => {
    const sha256 = createHash('sha256').update(meteringKey.value).digest('hex');
    expect(sha256).not.toBe('digest');
    for (const issuer of ['DSNP', 'M2M'] as const) {
      const keys = createSubscriptionKeys({ table: createSignedTable(engine), issuer, now: () => 0 });
      expect(await keys(meteringKey.value)).toEqual({ kind: 'refusal', reason: 'key_unknown' });
    }
  });
});
