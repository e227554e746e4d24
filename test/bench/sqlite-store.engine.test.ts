/** Compares the benchmarks' store to the embedded engine: it must give the same answers to the calls of a load. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startSqliteStore } from '../../bench/sqlite-store.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { ConditionFailed, type Table, type Write } from '../../lambdas/platform/table/table.ts';
import { startTestEngine } from '../support/engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'member-data-sqlite-store-'));
const started = await Promise.all([startTestEngine(), startSqliteStore(join(folder, 'table.db'))]);
const stores = started.map((store) => ({ table: createSignedTable(store), stop: () => store.stop() }));
afterAll(async () => {
  await Promise.all(stores.map((store) => store.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const key = (sk: string) => ({ pk: 'DSNP#PATIENT#p1', sk });
const absent = { expression: 'attribute_not_exists(pk)' };
const versionIs = (versionId: string) => ({
  expression: 'versionId = :replaced',
  values: { ':replaced': versionId },
});

/** Sends the same call to both stores; fails if their answers differ. */
async function both<Answer>(ask: (table: Table) => Promise<Answer>): Promise<Answer> {
  const [engine, sqlite] = await Promise.all(stores.map(({ table }) => ask(table)));
  expect(sqlite).toEqual(engine);
  return engine as Answer;
}

/** Whether the transaction was carried out. */
const transacts = (...writes: readonly Write[]) =>
  both(async (table) => {
    try {
      await table.transact(writes);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  });

describe('the store of benchmarks', () => {
  it('carries out a transaction whole or not at all, by its conditions', async () => {
    expect(
      await transacts(
        { put: { ...key('A'), versionId: '1' }, condition: absent },
        { put: { ...key('B'), versionId: '1' } },
      ),
    ).toBe(true);
    expect(
      await transacts({ put: { ...key('C') } }, { put: { ...key('A'), versionId: '2' }, condition: absent }),
    ).toBe(false);
    expect(
      await transacts(
        { put: { ...key('A'), versionId: '2' }, condition: versionIs('1') },
        { check: key('B'), condition: versionIs('1') },
        { delete: key('D') },
      ),
    ).toBe(true);
    expect(await transacts({ delete: key('B'), condition: versionIs('7') })).toBe(false);
    await both((table) => table.batchGet(['A', 'B', 'C', 'D'].map(key)));
  });

  it('updates attributes, of items that are there and of new ones', async () => {
    const owner = (memberId: string): Write => ({
      update: {
        key: key('MEMBER'),
        expression: 'SET memberId = :memberId REMOVE withdrawnAt',
        condition: '(attribute_not_exists(pk) OR memberId = :memberId) AND attribute_not_exists(mergedInto)',
        values: { ':memberId': memberId },
      },
    });
    expect(await transacts(owner('M1'))).toBe(true);
    expect(await transacts(owner('M2'))).toBe(false);
    const index = (set: Readonly<Record<string, string>>, remove: readonly string[]): Write => ({
      attributes: { key: key('INDEX#Patient#1'), set, remove },
    });
    expect(await transacts(index({ '.a': 'one', '.b': 'two' }, []))).toBe(true);
    expect(await transacts(index({ '.c': 'three' }, ['.a', '.none']))).toBe(true);
    await both((table) => table.get(key('MEMBER')));
    await both((table) => table.get(key('INDEX#Patient#1')));
  });

  it('answers queries of a partition by prefix, in either order and in pages', async () => {
    const rows = ['RANGE#1', 'RANGE#2', 'RANGE#3', 'OTHER#1'].map((sk) => ({
      put: { pk: 'DSNP#LOAD#d1', sk, at: sk },
    }));
    expect(await transacts(...rows)).toBe(true);
    const pk = 'DSNP#LOAD#d1';
    await both((table) => table.query({ pk, skBeginsWith: 'RANGE#' }));
    await both(async (table) => (await table.query({ pk, descending: true, limit: 2 })).items);
    expect((await both((table) => table.query({ pk }))).items).toHaveLength(4);
  });
});
