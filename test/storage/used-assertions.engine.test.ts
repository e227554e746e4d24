import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSdkTable } from '../../lambdas/storage/sdk-table.ts';
import { createSignedTable } from '../../lambdas/storage/signed-table.ts';
import { StoreUnavailable, type Table } from '../../lambdas/storage/table.ts';
import { createUsedAssertions } from '../../lambdas/storage/used-assertions.ts';
import { startTestEngine, type TestEngine, testCredentials } from '../support/engine.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

const now = 1_790_000_000;

describe('a used assertion', () => {
  let engine: TestEngine;
  let proxy: FaultyProxy;
  let table: Table;
  let breakable: Table;
  beforeAll(async () => {
    engine = await startTestEngine();
    proxy = await startFaultyProxy(engine.endpoint);
    table = createSdkTable({ tableName: engine.tableName, client: engine.client });
    breakable = createSignedTable({
      tableName: engine.tableName,
      access: { endpoint: proxy.endpoint, region: 'us-east-1', ...testCredentials },
      patience: { random: () => 0, sleep: async () => undefined },
    });
  });
  afterAll(async () => {
    await proxy.stop();
    await engine.stop();
  });
  beforeEach(() => proxy.plan());

  const use = (jti: string, clientId = 'client-1', at = now, by = table) =>
    createUsedAssertions(by, 'DSNP').use(clientId, jti, at + 360, at);

  it('is used once by its client, until it is over', async () => {
    const jti = randomUUID();
    expect(await use(jti)).toBe(true);
    expect(await use(jti)).toBe(false);
    expect(await use(jti, 'client-1', now + 359)).toBe(false);
    expect(await use(jti, 'client-1', now + 360)).toBe(true);
  });

  it('is another one of another client, and at another authority', async () => {
    const jti = randomUUID();
    expect(await use(jti)).toBe(true);
    expect(await use(jti, 'client-2')).toBe(true);
    expect(await createUsedAssertions(table, 'M2M').use('client-1', jti, now + 360, now)).toBe(true);
  });

  it('has one first use of 50 at once', async () => {
    const jti = randomUUID();
    const uses = await Promise.all(
      Array.from({ length: 50 }, () => use(jti).catch((error: unknown) => error)),
    );
    expect(uses.filter((first) => first === true)).toHaveLength(1);
    for (const other of uses.filter((first) => first !== true)) {
      expect(other === false || other instanceof StoreUnavailable).toBe(true);
    }
  });

  it('counts as first although its answer was lost, and as none when the store was never reached', async () => {
    const jti = randomUUID();
    proxy.plan('drop', 'drop', 'drop');
    await expect(use(jti, 'client-1', now, breakable)).rejects.toBeInstanceOf(StoreUnavailable);
    proxy.plan('answer-lost');
    expect(await use(jti, 'client-1', now, breakable)).toBe(true);
    expect(await use(jti)).toBe(false);
  });
});
