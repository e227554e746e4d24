import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSdkTable } from '../../../lambdas/platform/table/sdk-table.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { ConditionFailed, StoreUnavailable, type Table } from '../../../lambdas/platform/table/table.ts';
import { startTestEngine, type TestEngine, testCredentials } from '../../support/engine.ts';
import { type FaultyProxy, refusal, startFaultyProxy } from '../../support/faulty-proxy.ts';

// The real timeouts are tested here, which other tests replace.
vi.unmock('../../../lambdas/platform/table/dynamodb-call.ts');

const adapters: readonly [string, (endpoint: string, tableName: string) => Table][] = [
  [
    'the AWS SDK',
    (endpoint, tableName) =>
      createSdkTable({
        tableName,
        client: new DynamoDBClient({
          endpoint,
          region: 'us-east-1',
          credentials: testCredentials,
          maxAttempts: 1,
        }),
      }),
  ],
  [
    'signed requests',
    (endpoint, tableName) =>
      createSignedTable({ tableName, access: { endpoint, region: 'us-east-1', ...testCredentials } }),
  ],
];

const absent = { expression: 'attribute_not_exists(pk)' };
const counting = (pk: string) => ({
  key: { pk, sk: 'COUNT' },
  expression: 'SET #count = if_not_exists(#count, :zero) + :one',
  condition: 'attribute_not_exists(pk) OR #count < :most',
  names: { '#count': 'count' },
  values: { ':zero': 0, ':one': 1, ':most': 100 },
});

let engine: TestEngine;
let proxy: FaultyProxy;
let made = 0;
/** A partition that no other test uses. */
const partition = () => {
  made += 1;
  return `P#${made}`;
};

beforeAll(async () => {
  engine = await startTestEngine();
  proxy = await startFaultyProxy(engine.endpoint);
});
afterAll(async () => {
  await proxy.stop();
  await engine.stop();
});

describe.each(adapters)('a table through %s', (_name, create) => {
  const direct = () => create(engine.endpoint, engine.tableName);

  it('returns what was put, without the members that are undefined', async () => {
    const key = { pk: partition(), sk: 'A' };
    const item = {
      ...key,
      text: '',
      number: -1.5,
      yes: true,
      nothing: null,
      list: [1, 'a', []],
      map: { a: {} },
      bytes: new Uint8Array([0, 1, 127, 128, 255]),
      noBytes: new Uint8Array(),
    };
    await direct().put({ ...item, left: undefined });
    expect(await direct().get(key)).toEqual(item);
    expect(await direct().get(key, { consistent: false })).toEqual(item);
    expect(await direct().get({ ...key, sk: 'B' })).toBeUndefined();
  });

  it('reads several keys in one round trip, in their order, a repeated one too', async () => {
    const pk = partition();
    await direct().put({ pk, sk: 'A', n: 1 });
    await direct().put({ pk, sk: 'B', n: 2 });
    proxy.plan();
    const through = create(proxy.endpoint, engine.tableName);
    const sorts = ['B', 'missing', 'A', 'B'];
    const read = await through.batchGet(sorts.map((sk) => ({ pk, sk })));
    expect(read.map((item) => item?.n)).toEqual([2, undefined, 1, 2]);
    expect(proxy.calls).toHaveLength(1);
    expect(await through.batchGet([])).toEqual([]);
    expect(proxy.calls).toHaveLength(1);
  });

  it('pages through one partition in both directions', async () => {
    const pk = partition();
    for (const sk of ['A#1', 'A#2', 'A#3', 'B#1']) await direct().put({ pk, sk });
    const sorts = (items: readonly { sk?: unknown }[]) => items.map((item) => item.sk);
    const first = await direct().query({ pk, skBeginsWith: 'A#', limit: 2 });
    expect(sorts(first.items)).toEqual(['A#1', 'A#2']);
    const next = first.next ?? '';
    const second = await direct().query({ pk, skBeginsWith: 'A#', limit: 2, after: next });
    expect(sorts(second.items)).toEqual(['A#3']);
    expect(second.next).toBeUndefined();
    const newest = await direct().query({ pk, descending: true, limit: 1 });
    expect(sorts(newest.items)).toEqual(['B#1']);
  });

  it('sends the attributes asked for, and says where the next page begins all the same', async () => {
    const pk = partition();
    for (const sk of ['A', 'B']) await direct().put({ pk, sk, time: 1, list: ['long'] });
    const page = await direct().query({ pk, limit: 1, attributes: ['sk', 'time', 'absent'] });
    expect(page).toEqual({ items: [{ sk: 'A', time: 1 }], next: 'A' });
  });

  it('refuses a write whose condition does not hold, and changes nothing', async () => {
    const key = { pk: partition(), sk: 'A' };
    await direct().put({ ...key, n: 1 }, absent);
    await expect(direct().put({ ...key, n: 2 }, absent)).rejects.toThrow(ConditionFailed);
    const update = { key, expression: 'SET n = :n', condition: 'n = :old', values: { ':n': 3, ':old': 2 } };
    await expect(direct().update(update)).rejects.toMatchObject({ name: 'ConditionFailed', failed: [0] });
    expect(await direct().get(key)).toEqual({ ...key, n: 1 });
    const right = { ...update, values: { ':n': 3, ':old': 1 } };
    expect(await direct().update(right)).toEqual({ ...key, n: 3 });
  });

  it('writes all of a transaction or nothing, and says which conditions failed', async () => {
    const pk = partition();
    await direct().put({ pk, sk: 'A', n: 1 });
    const refused = direct().transact([
      { put: { pk, sk: 'B' } },
      { check: { pk, sk: 'A' }, condition: { expression: 'n = :n', values: { ':n': 2 } } },
      { delete: { pk, sk: 'C' }, condition: { expression: 'attribute_exists(pk)' } },
    ]);
    await expect(refused).rejects.toMatchObject({ name: 'ConditionFailed', failed: [1, 2] });
    expect(await direct().get({ pk, sk: 'B' })).toBeUndefined();
    await direct().transact([
      { put: { pk, sk: 'B' }, condition: absent },
      { update: counting(pk) },
      { delete: { pk, sk: 'A' } },
    ]);
    const { items } = await direct().query({ pk });
    expect(items).toEqual([
      { pk, sk: 'B' },
      { pk, sk: 'COUNT', count: 1 },
    ]);
  });

  it('takes a repeated transaction token for the same act', async () => {
    const pk = partition();
    const token = `token-${pk}`;
    await direct().transact([{ update: counting(pk) }], token);
    await direct().transact([{ update: counting(pk) }], token);
    expect(await direct().get({ pk, sk: 'COUNT' })).toMatchObject({ count: 1 });
  });

  it('lets one of many at the same moment win, and gives the others an answer', async () => {
    const pk = partition();
    const tries = Array.from({ length: 20 }, (_, n) =>
      direct()
        .transact([{ put: { pk, sk: 'ONE', n }, condition: absent }])
        .then(
          () => 'won',
          (error: Error) => error.name,
        ),
    );
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'ConditionFailed')).toHaveLength(19);
  });

  it('leaves a defect of ours as it is', async () => {
    const nowhere = create(engine.endpoint, 'no-such-table');
    const error = await nowhere.get({ pk: 'a', sk: 'b' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(StoreUnavailable);
    expect(error).not.toBeInstanceOf(ConditionFailed);
  });

  describe('when calls go wrong', () => {
    const faulty = () => create(proxy.endpoint, engine.tableName);
    const passing = [
      ['a dropped connection', 'drop'],
      ['an answer that was lost', 'answer-lost'],
      ['an answer cut short', 'answer-cut'],
      ['a 500', refusal('InternalServerError', 500)],
      ['a 503 that is no JSON', { status: 503, body: '<html>busy</html>' }],
      ['throttling', refusal('ThrottlingException')],
      ['exhausted throughput', refusal('ProvisionedThroughputExceededException')],
    ] as const;

    it.each(passing)('tries again after %s', async (_what, fault) => {
      const key = { pk: partition(), sk: 'A' };
      proxy.plan(fault, fault);
      await faulty().put({ ...key, n: 1 });
      expect(proxy.calls).toHaveLength(3);
      proxy.plan(fault);
      expect(await faulty().get(key)).toEqual({ ...key, n: 1 });
      expect(proxy.calls).toHaveLength(2);
    });

    it.each(passing)('is unavailable after three times %s', async (_what, fault) => {
      proxy.plan(fault, fault, fault);
      await expect(faulty().get({ pk: partition(), sk: 'A' })).rejects.toThrow(StoreUnavailable);
      expect(proxy.calls).toHaveLength(3);
    });

    it('waits one second for an answer and no longer', async () => {
      proxy.plan('silence');
      const began = performance.now();
      expect(await faulty().get({ pk: partition(), sk: 'A' })).toBeUndefined();
      expect(performance.now() - began).toBeGreaterThan(950);
      // Far more than a busy machine takes, and without a timeout the call would never end.
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(proxy.calls).toHaveLength(2);
    });

    it('carries a transaction out once, though its answer was lost', async () => {
      const pk = partition();
      proxy.plan('answer-lost', 'answer-cut');
      await faulty().transact([{ update: counting(pk) }, { put: { pk, sk: 'B' }, condition: absent }]);
      expect(proxy.calls).toHaveLength(3);
      expect(new Set(proxy.calls.map((body) => JSON.parse(body).ClientRequestToken)).size).toBe(1);
      expect(await direct().get({ pk, sk: 'COUNT' })).toMatchObject({ count: 1 });
    });

    it('does not call its own lost write somebody else’s', async () => {
      const key = { pk: partition(), sk: 'A' };
      proxy.plan('answer-lost');
      await expect(faulty().put({ ...key }, absent)).rejects.toThrow(StoreUnavailable);
      expect(await direct().get(key)).toEqual(key);
    });

    it('knows that a throttled write was not carried out', async () => {
      const key = { pk: partition(), sk: 'A' };
      await direct().put({ ...key });
      proxy.plan(refusal('ThrottlingException'));
      await expect(faulty().put({ ...key }, absent)).rejects.toThrow(ConditionFailed);
    });

    it('tries again when another transaction holds the item, and gives up in the end', async () => {
      const pk = partition();
      const conflict = refusal('TransactionCanceledException', 400, {
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      });
      proxy.plan(conflict, conflict, refusal('TransactionInProgressException'), conflict);
      await faulty().transact([{ update: counting(pk) }, { put: { pk, sk: 'B' } }]);
      expect(await direct().get({ pk, sk: 'COUNT' })).toMatchObject({ count: 1 });
      proxy.plan(...Array.from({ length: 8 }, () => conflict));
      await expect(faulty().transact([{ update: counting(pk) }])).rejects.toThrow(StoreUnavailable);
      expect(proxy.calls).toHaveLength(8);
    });

    it('asks again for the keys a batch left over, and only for those', async () => {
      const pk = partition();
      await direct().put({ pk, sk: 'A', n: 1 });
      await direct().put({ pk, sk: 'B', n: 2 });
      const [a, b] = ['A', 'B'].map((sk) => ({ pk: { S: pk }, sk: { S: sk } }));
      proxy.plan({
        status: 200,
        body: JSON.stringify({
          Responses: { [engine.tableName]: [{ ...b, n: { N: '2' } }] },
          UnprocessedKeys: { [engine.tableName]: { Keys: [a], ConsistentRead: true } },
        }),
      });
      const keys = ['A', 'B'].map((sk) => ({ pk, sk }));
      expect((await faulty().batchGet(keys)).map((item) => item?.n)).toEqual([1, 2]);
      expect(JSON.parse(proxy.calls[1] ?? '').RequestItems[engine.tableName].Keys).toEqual([a]);
    });

    it('asks as often as an answer brings something, since 16 MB are the most it holds', async () => {
      const pk = partition();
      const sorts = ['A', 'B', 'C', 'D', 'E'];
      for (const sk of sorts) await direct().put({ pk, sk });
      const wire = sorts.map((sk) => ({ pk: { S: pk }, sk: { S: sk } }));
      const partly = sorts.slice(0, -1).map((_, at) => ({
        status: 200,
        body: JSON.stringify({
          Responses: { [engine.tableName]: wire.slice(at, at + 1) },
          UnprocessedKeys: { [engine.tableName]: { Keys: wire.slice(at + 1), ConsistentRead: true } },
        }),
      }));
      proxy.plan(...partly);
      const keys = sorts.map((sk) => ({ pk, sk }));
      expect(await faulty().batchGet(keys)).toEqual(keys);
      expect(proxy.calls).toHaveLength(5);
    });

    it('is unavailable where three answers in a row bring nothing', async () => {
      const key = { pk: partition(), sk: 'A' };
      const left = [{ pk: { S: key.pk }, sk: { S: 'A' } }];
      const nothing = {
        status: 200,
        body: JSON.stringify({ Responses: {}, UnprocessedKeys: { [engine.tableName]: { Keys: left } } }),
      };
      proxy.plan(nothing, nothing, nothing);
      await expect(faulty().batchGet([key])).rejects.toThrow(StoreUnavailable);
      expect(proxy.calls).toHaveLength(3);
    });

    it('is unavailable where nobody listens', async () => {
      const nobody = create('http://127.0.0.1:9', engine.tableName);
      await expect(nobody.get({ pk: 'a', sk: 'b' })).rejects.toThrow(StoreUnavailable);
    });
  });
});
