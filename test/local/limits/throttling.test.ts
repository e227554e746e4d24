import { describe, expect, it } from 'vitest';
import { consumptionOf } from '../../../local/aws/dynamodb/consumption.ts';
import { declaredTables } from '../../../local/aws/dynamodb/tables.ts';
import { dynamoDbThrottle } from '../../../local/aws/dynamodb/throttling.ts';
import { limitsOf } from '../../../local/limits/limits.ts';
import { assembly, table } from '../aws/declarations.ts';

const tables = declaredTables(assembly(table()));
const TableName = 'environment';
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const put = (pk: string, text: string, more: object = {}) => ({
  TableName,
  Item: { ...key(pk), text: { S: text }, ...more },
});
const units = (operation: string, input: object) =>
  consumptionOf(operation, input as Record<string, unknown>, tables).map(({ consumed }) =>
    consumed.map(({ kind, index, partition, units }) => `${kind} ${index}/${partition} ${units}`),
  );

describe('the units of a request', () => {
  it('are one for each kilobyte that is written, and one of each index that the item is in', () => {
    expect(units('PutItem', put('a', 'x'))).toEqual([['write /a 1']]);
    expect(units('PutItem', put('a', 'x'.repeat(2_500)))).toEqual([['write /a 3']]);
    expect(units('PutItem', put('a', 'x', { holder: { S: 'ada' } }))).toEqual([
      ['write /a 1', 'write byOwner/ada 1'],
    ]);
    const values = { ':text': { S: 'x'.repeat(1_500) } };
    expect(units('UpdateItem', { TableName, Key: key('a'), ExpressionAttributeValues: values })).toEqual([
      ['write /a 2'],
    ]);
  });

  it('are twice as many in a transaction', () => {
    const TransactItems = [{ Put: put('a', 'x') }, { ConditionCheck: { TableName, Key: key('b') } }];
    expect(units('TransactWriteItems', { TransactItems })).toEqual([['write /a 2'], ['write /b 2']]);
  });

  it('are a half of a read that need not be consistent', () => {
    expect(units('GetItem', { TableName, Key: key('a') })).toEqual([['read /a 0.5']]);
    expect(units('GetItem', { TableName, Key: key('a'), ConsistentRead: true })).toEqual([['read /a 1']]);
    const query = {
      TableName,
      IndexName: 'byOwner',
      KeyConditionExpression: 'holder = :h',
      ExpressionAttributeValues: { ':h': { S: 'ada' } },
    };
    expect(units('Query', query)).toEqual([['read byOwner/ada 0.5']]);
    const RequestItems = { [TableName]: { Keys: [key('a'), key('b')], ConsistentRead: true } };
    expect(units('BatchGetItem', { RequestItems })).toEqual([['read /a 1'], ['read /b 1']]);
  });
});

describe('a call beyond the capacity', () => {
  const limits = limitsOf('aws');
  if (limits === undefined) throw new Error('there are limits');
  const throttling = () => dynamoDbThrottle(tables, limits, () => 0);
  /** Uses up the capacity of a partition for a second. */
  const exhausted = (pk: string) => {
    const throttle = throttling();
    throttle('PutItem', put(pk, 'x'.repeat(1_024_000)));
    throttle('GetItem', { TableName, Key: key(pk) }).answered(13_000_000 * 2);
    return throttle;
  };

  it('is refused as throttled', () => {
    const throttle = exhausted('hot');
    expect(() => throttle('PutItem', put('hot', 'x'))).toThrow(
      expect.objectContaining({ code: 'ThrottlingException', status: 400 }),
    );
    expect(() => throttle('GetItem', { TableName, Key: key('hot') })).toThrow(/one partition/);
    expect(throttle('PutItem', put('cold', 'x'))).toMatchObject({});
  });

  it('cancels a whole transaction for one item', () => {
    const throttle = exhausted('hot');
    const TransactItems = [{ Put: put('cold', 'x') }, { Put: put('hot', 'x') }];
    expect(() => throttle('TransactWriteItems', { TransactItems })).toThrow(
      expect.objectContaining({
        code: 'TransactionCanceledException',
        members: {
          CancellationReasons: [{ Code: 'None' }, expect.objectContaining({ Code: 'ThrottlingError' })],
        },
      }),
    );
  });

  it('reads a batch in part, and names the keys that are left', () => {
    const throttle = exhausted('hot');
    const batch = (...keys: readonly string[]) => ({
      RequestItems: { [TableName]: { Keys: keys.map(key) } },
    });
    const { input, unprocessed } = throttle('BatchGetItem', batch('a', 'hot', 'b'));
    expect(input).toEqual(batch('a', 'b'));
    expect(unprocessed).toEqual({ [TableName]: { Keys: [key('hot')] } });
    expect(() => throttle('BatchGetItem', batch('hot'))).toThrow(/one partition/);
  });

  it('has the warm throughput of the template at once', () => {
    const WarmThroughput = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 8_000 };
    const warmed = declaredTables(assembly(table({ WarmThroughput })));
    const throttle = dynamoDbThrottle(warmed, limits, () => 0);
    for (let at = 0; at < 8_000; at += 1) throttle('PutItem', put(`p${at % 100}`, 'x'));
    expect(() => throttle('PutItem', put('q', 'x'))).toThrow(/current capacity of your table/);
  });
});

it('publishes the units that a table and its index consumed, once a second', () => {
  const limits = limitsOf('aws');
  if (limits === undefined) throw new Error('there are limits');
  const clock = { now: 0 };
  const published: unknown[][] = [];
  const throttle = dynamoDbThrottle(
    tables,
    limits,
    () => clock.now,
    (...metric) => published.push(metric),
  );
  throttle('PutItem', put('a', 'x', { holder: { S: 'ada' } }));
  throttle('GetItem', { TableName, Key: key('a'), ConsistentRead: true }).answered(10_000);
  expect(published).toEqual([]);
  clock.now = 1_000;
  throttle('PutItem', put('b', 'x'));
  expect(published).toEqual([
    ['AWS/DynamoDB', 'ConsumedWriteCapacityUnits', { TableName }, 2],
    ['AWS/DynamoDB', 'ConsumedWriteCapacityUnits', { TableName, GlobalSecondaryIndexName: 'byOwner' }, 1],
    ['AWS/DynamoDB', 'ConsumedReadCapacityUnits', { TableName }, 3],
  ]);
});
