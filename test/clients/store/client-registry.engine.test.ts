import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../lambdas/clients/provisioning/client.ts';
import type { Commit } from '../../../lambdas/clients/provisioning/provisioning-ports.ts';
import { createClientRegistry } from '../../../lambdas/clients/store/client-registry.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import { applicationKey, subscriptionKeyKey } from '../../../lambdas/platform/table/table-keys.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { registration } from '../provisioning/provisioning-double.ts';

let serial = 0;

function client(changed: Partial<Client> = {}): Client {
  serial += 1;
  return {
    ...registration({ products: ['patient-access', 'provider-directory'] }),
    clientId: `client-${serial}`,
    state: 'active',
    secrets: [{ secretId: 's', sha256: 'h', encrypted: 'e', createdAt: '2026-03-02T10:00:00.000Z' }],
    subscriptionKeys: [{ apiKeyId: 'k1', sha256: `key-${serial}`, createdAt: '2026-03-02T10:00:00.000Z' }],
    createdAt: '2026-03-02T10:00:00.000Z',
    updatedAt: '2026-03-02T10:00:00.000Z',
    ...changed,
  };
}

function commit(after: Client, before?: Client, requestId = `request-${serial}-${after.updatedAt}`): Commit {
  const request = {
    requestId,
    action: before === undefined ? 'register' : 'update',
    fingerprint: 'f',
    clientId: after.clientId,
    encryptedAnswer: 'a',
    expiresAt: 1_900_000_000,
  } as const;
  return { ...(before === undefined ? {} : { before }), after, request, eventId: `event-${requestId}` };
}

const later = '2026-03-02T10:00:01.000Z';

describe('the client registry', () => {
  let engine: TestEngine;
  let table: Table;
  let registry: ReturnType<typeof createClientRegistry>;
  beforeAll(async () => {
    engine = await startTestEngine();
    table = createSignedTable(engine);
    registry = createClientRegistry(table, 'sandbox');
  });
  afterAll(async () => {
    await engine.stop();
  });

  const lookup = (authority: 'DSNP' | 'MHBE' | 'EGWP' | 'M2M', sha256: string) =>
    table.get(subscriptionKeyKey(authority, sha256));

  it('gives back the client and the request it wrote, and nothing of the table', async () => {
    const written = client();
    const one = commit(written);
    expect(await registry.commit(one)).toBe(true);
    expect(await registry.client(written.clientId)).toEqual(written);
    expect(await registry.request(one.request.requestId)).toEqual(one.request);
    expect(await registry.client('nobody')).toBeUndefined();
    expect(await registry.request('nothing')).toBeUndefined();
  });

  it('writes a lookup for each line of business with the products it offers, and one for the token host', async () => {
    const written = client();
    await registry.commit(commit(written));
    const sha256 = written.subscriptionKeys[0]?.sha256 ?? '';
    const { clientId } = written;
    const expected = { clientId, apiKeyId: 'k1', state: 'active' };
    expect(await lookup('DSNP', sha256)).toEqual(
      expect.objectContaining({ ...expected, products: ['patient-access', 'provider-directory'] }),
    );
    expect(await lookup('MHBE', sha256)).toEqual(
      expect.objectContaining({ ...expected, products: ['patient-access'] }),
    );
    expect(await lookup('M2M', sha256)).toMatchObject(expected);
    expect(await lookup('EGWP', sha256)).toBeUndefined();
  });

  it('writes what each line of business knows of the application, and takes it from those it leaves', async () => {
    const meteringKey = { apiKeyId: 'k2', value: 'a-value-to-meter-by' };
    const before = client({ meteringKey });
    const { clientId } = before;
    await registry.commit(commit(before));
    const application = (lob: 'DSNP' | 'MHBE' | 'EGWP') => table.get(applicationKey(lob, clientId));
    const expected = { clientId, state: 'active', meteringKey: meteringKey.value };
    expect(await application('DSNP')).toMatchObject({
      ...expected,
      products: ['patient-access', 'provider-directory'],
    });
    expect(await application('MHBE')).toMatchObject({ ...expected, products: ['patient-access'] });
    // The lookup item of each key names the same metering key, so that two keys of an application share one rate.
    for (const { sha256 } of before.subscriptionKeys) {
      const lookup = await table.get(subscriptionKeyKey('DSNP', sha256));
      expect(lookup).toMatchObject({ meteringKey: meteringKey.value });
    }
    const after: Client = { ...before, state: 'suspended', linesOfBusiness: ['EGWP'], updatedAt: later };
    expect(await registry.commit(commit(after, before))).toBe(true);
    expect(await application('DSNP')).toBeUndefined();
    expect(await application('MHBE')).toBeUndefined();
    expect(await application('EGWP')).toMatchObject({ ...expected, state: 'suspended' });
    expect(await registry.client(clientId)).toEqual(after);
  });

  it('changes every lookup with the client and deletes those of lines of business it left', async () => {
    const before = client();
    await registry.commit(commit(before));
    const [key] = before.subscriptionKeys;
    const sha256 = key?.sha256 ?? '';
    const after: Client = {
      ...before,
      state: 'suspended',
      linesOfBusiness: ['DSNP', 'EGWP'],
      subscriptionKeys: [{ apiKeyId: 'k1', sha256, createdAt: before.createdAt, expiresAt: later }],
      updatedAt: later,
    };
    expect(await registry.commit(commit(after, before))).toBe(true);
    expect(await lookup('MHBE', sha256)).toBeUndefined();
    for (const authority of ['DSNP', 'EGWP', 'M2M'] as const) {
      expect(await lookup(authority, sha256)).toMatchObject({
        state: 'suspended',
        expiresAt: Date.parse(later) / 1000,
      });
    }
  });

  it('lets one of two changes of the same client through and writes nothing of the other', async () => {
    const before = client();
    await registry.commit(commit(before));
    const change = (clientName: string) => ({ ...before, clientName, updatedAt: later });
    const results = await Promise.all([
      registry.commit(commit(change('One'), before, 'race-one')),
      registry.commit(commit(change('Two'), before, 'race-two')),
    ]);
    expect(results.filter(Boolean)).toHaveLength(1);
    const loser = results[0] ? 'race-two' : 'race-one';
    expect(await registry.request(loser)).toBeUndefined();
    expect((await registry.client(before.clientId))?.clientName).toBe(results[0] ? 'One' : 'Two');
  });

  it('carries a request out once', async () => {
    const first = client();
    await registry.commit(commit(first, undefined, 'only-once'));
    const second = client();
    expect(await registry.commit(commit(second, undefined, 'only-once'))).toBe(false);
    expect(await registry.client(second.clientId)).toBeUndefined();
  });

  it('leaves an audit event of every commit and every repeat, without a secret', async () => {
    const written = client();
    const one = commit(written);
    await registry.commit(one);
    await registry.auditRepeat(one.request, 'again', later);
    const { items } = await table.query({ pk: `AUDIT#M2M#CLIENT#${written.clientId}` });
    expect(items).toMatchObject([
      { action: 'client.register', outcome: 'succeeded', clientId: written.clientId, environment: 'sandbox' },
      { action: 'client.register', reason: 'repeated' },
    ]);
    expect(JSON.stringify(items)).not.toMatch(/encrypted|sha256/);
  });
});
