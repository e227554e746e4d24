import { afterAll, beforeAll, expect, it } from 'vitest';
import { carryForward, type StoredItem } from '../../../ops/recovery/carry-forward.ts';
import { recoveryTable } from '../../../ops/recovery/dynamodb-tables.ts';
import { itemsOf, memoryTable } from '../../recovery/memory-table.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());

const item = (pk: string, number: number, more: object = {}): StoredItem => ({
  pk: { S: pk },
  sk: { S: String(number).padStart(4, '0') },
  ...more,
});
const numbers = Array.from({ length: 230 }, (_, at) => at);

it('carries hundreds of items of every type into a table, and ends those that are not there any more', async () => {
  const table = recoveryTable(engine.client, engine.tableName);
  const earlier = [
    ...numbers.map((at) => item('DSNP#GRANT#p', at, { state: { S: 'active' }, until: { N: '5' } })),
    ...numbers.map((at) => item('DSNP#SESSION#s', at)),
    item('DSNP#PATIENT#p', 0, { gzip: { B: new Uint8Array([1, 2, 3]) }, list: { L: [{ BOOL: true }] } }),
  ];
  await table.put(earlier);
  const newest = memoryTable([
    ...numbers.map((at) =>
      item('DSNP#GRANT#p', at, { until: { N: '5' }, state: { S: at < 200 ? 'active' : 'ended' } }),
    ),
    item('DSNP#PATIENT#p', 0, { gzip: { B: new Uint8Array([9]) } }),
  ]);
  expect([...(await carryForward(newest, table, true))]).toEqual([
    ['GRANT', { written: 30, removed: 0 }],
    ['SESSION', { written: 0, removed: 230 }],
  ]);
  const left = await itemsOf(table);
  expect(left).toHaveLength(231);
  expect(left.filter(({ state }) => (state as { S?: string } | undefined)?.S === 'ended')).toHaveLength(30);
  expect(left.find(({ pk }) => pk.S === 'DSNP#PATIENT#p')).toEqual(earlier.at(-1));
  expect((await carryForward(newest, table, true)).size).toBe(0);
  const some = recoveryTable(engine.client, engine.tableName, ['DSNP#PATIENT#p', 'DSNP#NONE#x']);
  expect(await itemsOf(some)).toEqual([earlier.at(-1)]);
});
