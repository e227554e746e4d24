import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUsedAssertions } from '../../../lambdas/authorization/store/used-assertions.ts';
import { StoreUnavailable, type Table } from '../../../lambdas/platform/table/table.ts';
import { startBreakableTable } from '../../support/breakable-table.ts';
import type { FaultyProxy } from '../../support/faulty-proxy.ts';

const now = 1_790_000_000;

describe('a used assertion', () => {
  let table: Table;
  let breakable: Table;
  let proxy: FaultyProxy;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ table, breakable, proxy, stop } = await startBreakableTable());
  });
  afterAll(async () => await stop());
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
