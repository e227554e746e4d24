import { describe, expect, it, vi } from 'vitest';
import { createSecretUses } from '../../../lambdas/authorization/store/secret-uses.ts';
import type { Client } from '../../../lambdas/clients/provisioning/client.ts';
import { createClientRegistry } from '../../../lambdas/clients/store/client-registry.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import { secretUseKey } from '../../../lambdas/platform/table/table-keys.ts';
import { registration } from '../../clients/provisioning/provisioning-double.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

const table = await createEmptyTable();

const noon = Date.UTC(2026, 10, 20, 12, 0, 0);
const dayMs = 86_400_000;

/** An instance of a token function whose writes are counted. `settled` waits for the writes that have begun. */
function instance(startMs = noon, put: Table['put'] = (...item) => table.put(...item)) {
  const clock = { ms: startMs };
  const puts: Promise<void>[] = [];
  const counting: Table = {
    ...table,
    put(...item) {
      const begun = put(...item);
      puts.push(begun);
      return begun;
    },
  };
  const usesOf = createSecretUses(counting, () => clock.ms);
  return { usesOf, clock, puts, settled: () => Promise.allSettled(puts) };
}

const dayOf = async (authority: 'DSNP' | 'MHBE', sha256: string) =>
  (await table.get(secretUseKey(authority, sha256)))?.day;

describe('the use of a secret', () => {
  it('is written once a day, however often it is used', async () => {
    const { usesOf, clock, puts, settled } = instance();
    for (let use = 0; use < 5; use += 1) usesOf('DSNP').used('often');
    await settled();
    expect(puts).toHaveLength(1);
    expect(await dayOf('DSNP', 'often')).toBe('2026-11-20');
    clock.ms += dayMs;
    usesOf('DSNP').used('often');
    await settled();
    expect(puts).toHaveLength(2);
    expect(await dayOf('DSNP', 'often')).toBe('2026-11-21');
  });

  it('is written apart for each authority and secret', async () => {
    const { usesOf, puts, settled } = instance();
    usesOf('DSNP').used('first');
    usesOf('DSNP').used('second');
    usesOf('MHBE').used('first');
    await settled();
    expect(puts).toHaveLength(3);
    expect(await dayOf('MHBE', 'first')).toBe('2026-11-20');
    expect(await dayOf('MHBE', 'second')).toBeUndefined();
  });

  it('never goes back to the day before, where an instance is behind', async () => {
    const ahead = instance(noon + dayMs);
    ahead.usesOf('DSNP').used('midnight');
    await ahead.settled();
    const behind = instance();
    behind.usesOf('DSNP').used('midnight');
    behind.usesOf('DSNP').used('midnight');
    await behind.settled();
    expect(await dayOf('DSNP', 'midnight')).toBe('2026-11-21');
    expect(behind.puts).toHaveLength(1);
  });

  it('fails no request where the table does, and is tried again with the next use', async () => {
    let broken = true;
    const { usesOf, puts, settled } = instance(noon, async (...item) => {
      if (broken) throw new Error('the table is away');
      await table.put(...item);
    });
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    expect(() => usesOf('DSNP').used('unlucky')).not.toThrow();
    await settled();
    broken = false;
    usesOf('DSNP').used('unlucky');
    await settled();
    process.off('unhandledRejection', unhandled);
    expect(puts).toHaveLength(2);
    expect(unhandled).not.toHaveBeenCalled();
    expect(await dayOf('DSNP', 'unlucky')).toBe('2026-11-20');
  });
});

describe('the days of a client’s secrets', () => {
  const secret = (sha256: string) => ({ secretId: sha256, sha256, encrypted: 'e', createdAt: '2026-11-01' });
  const client = (...secrets: readonly ReturnType<typeof secret>[]): Client => ({
    ...registration(),
    clientId: 'client-1',
    state: 'active',
    secrets,
    subscriptionKeys: [],
    createdAt: '2026-11-01',
    updatedAt: '2026-11-01',
  });

  it('are the newest of all its authorities', async () => {
    const { usesOf, clock, settled } = instance();
    usesOf('MHBE').used('old');
    usesOf('M2M').used('old');
    clock.ms -= dayMs;
    usesOf('DSNP').used('old');
    usesOf('EGWP').used('new');
    await settled();
    const registry = createClientRegistry(table, 'sandbox');
    const days = await registry.secretDays(client(secret('old'), secret('new')));
    // The client is registered for DSNP and MHBE only, so its secret is not used elsewhere.
    expect([...days]).toEqual([['old', '2026-11-20']]);
  });

  it('are none for a client without secrets', async () => {
    expect(await createClientRegistry(table, 'sandbox').secretDays(client())).toEqual(new Map());
  });
});
