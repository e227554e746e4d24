import { describe, expect, it } from 'vitest';
import { requiredActionsOf } from '../../../local/aws/dynamodb/required-actions.ts';
import { declaredTables } from '../../../local/aws/dynamodb/tables.ts';
import { assembly, table, tableArn } from './declarations.ts';

const tables = declaredTables(assembly(table()));
const TableName = 'environment';
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const demands = (operation: string, input: object) =>
  requiredActionsOf(operation, input as Record<string, unknown>, tables);
const query = (input: object) => demands('Query', { TableName, ...input })[0]?.leadingKeys;
const values = { ExpressionAttributeValues: { ':p': { S: 'DSNP#1' }, ':s': { S: 'x' } } };

describe('what a DynamoDB call asks of its caller', () => {
  it('is the action on the table with the partition key, by name or ARN of the table', () => {
    for (const name of [TableName, tableArn]) {
      expect(demands('GetItem', { TableName: name, Key: key('a') })).toEqual([
        { action: 'dynamodb:GetItem', resource: tableArn, leadingKeys: ['a'] },
      ]);
    }
    expect(demands('PutItem', { TableName, Item: key('b') })[0]?.leadingKeys).toEqual(['b']);
  });

  it('holds every key of a batch', () => {
    const RequestItems = {
      [TableName]: [{ PutRequest: { Item: key('a') } }, { DeleteRequest: { Key: key('b') } }],
    };
    expect(demands('BatchWriteItem', { RequestItems })[0]).toMatchObject({
      action: 'dynamodb:BatchWriteItem',
      leadingKeys: ['a', 'b'],
    });
    const read = { RequestItems: { [TableName]: { Keys: [key('a'), key('c')] } } };
    expect(demands('BatchGetItem', read)[0]?.leadingKeys).toEqual(['a', 'c']);
  });

  it("is each member's own action in a transaction", () => {
    const TransactItems = [
      { Put: { TableName, Item: key('a') } },
      { Update: { TableName, Key: key('b') } },
      { Delete: { TableName, Key: key('c') } },
      { ConditionCheck: { TableName, Key: key('d') } },
    ];
    expect(
      demands('TransactWriteItems', { TransactItems }).map(({ action, leadingKeys, within }) => [
        action,
        leadingKeys,
        within,
      ]),
    ).toEqual([
      ['dynamodb:PutItem', ['a'], 'TransactWriteItems'],
      ['dynamodb:UpdateItem', ['b'], 'TransactWriteItems'],
      ['dynamodb:DeleteItem', ['c'], 'TransactWriteItems'],
      ['dynamodb:ConditionCheckItem', ['d'], 'TransactWriteItems'],
    ]);
    const two = { TransactItems: [{ ...TransactItems[0], ...TransactItems[2] }] };
    expect(() => demands('TransactWriteItems', two)).toThrow();
  });

  it('is also each action of a transaction on all its keys at once, since AWS does not say how it groups them', () => {
    const TransactItems = [
      { Put: { TableName, Item: key('a') } },
      { Update: { TableName, Key: key('b') } },
      { Put: { TableName, Item: key('c') } },
    ];
    const asked = demands('TransactWriteItems', { TransactItems });
    expect(asked.map(({ action, leadingKeys }) => [action, leadingKeys])).toEqual([
      ['dynamodb:PutItem', ['a']],
      ['dynamodb:UpdateItem', ['b']],
      ['dynamodb:PutItem', ['c']],
      ['dynamodb:PutItem', ['a', 'c']],
    ]);
  });

  it('is asked once for all items of a transaction in one partition', () => {
    const TransactItems = ['a', 'a', 'a'].map((pk) => ({ Put: { TableName, Item: key(pk) } }));
    const asked = demands('TransactWriteItems', { TransactItems });
    expect(asked.map(({ action, leadingKeys }) => [action, leadingKeys])).toEqual([
      ['dynamodb:PutItem', ['a']],
    ]);
  });

  it('reads the partition a Query names, however it is written', () => {
    const expressions = [
      { KeyConditionExpression: 'pk = :p', ...values },
      { KeyConditionExpression: '(pk=:p) AND begins_with(sk, :s)', ...values },
      { KeyConditionExpression: 'sk = :s AND #k = :p', ExpressionAttributeNames: { '#k': 'pk' }, ...values },
      { KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'DSNP#1' }] } } },
    ];
    for (const expression of expressions) expect(query(expression)).toEqual(['DSNP#1']);
  });

  it('is asked of an index by its own key', () => {
    const [demand] = demands('Query', {
      TableName,
      IndexName: 'byOwner',
      KeyConditionExpression: 'holder = :p',
      ...values,
    });
    expect(demand).toEqual({
      action: 'dynamodb:Query',
      resource: `${tableArn}/index/byOwner`,
      leadingKeys: ['DSNP#1'],
    });
  });

  it('matches no pattern where the partition can’t be read', () => {
    expect(query({ KeyConditionExpression: ':p = pk', ...values })).toEqual(['\u0000']);
    expect(query({ KeyConditionExpression: 'sk = :s', ...values })).toEqual(['\u0000']);
    expect(demands('GetItem', { TableName })[0]?.leadingKeys).toEqual(['\u0000']);
  });

  it('cannot be told of a table no template declares, nor of PartiQL', () => {
    expect(() => demands('GetItem', { TableName: 'other', Key: key('a') })).toThrow('not found');
    // The stand-in refuses PartiQL by name, because no function uses it and its statements hide the partitions that rights are about.
    expect(() => demands('ExecuteStatement', {})).toThrow('not implemented');
    expect(() => demands('BatchExecuteStatement', {})).toThrow('not implemented');
    expect(() => demands('ExecuteTransaction', {})).toThrow('not implemented');
    expect(demands('ListTables', {})).toEqual([{ action: 'dynamodb:ListTables', resource: '*' }]);
  });
});

describe('what a Scan asks of its caller', () => {
  const scan = (input: object) => demands('Scan', { TableName, ...input })[0];

  it('is the attributes its projection and filter name, and what it selects', () => {
    expect(
      scan({
        Select: 'SPECIFIC_ATTRIBUTES',
        ProjectionExpression: 'pk, #w, nested.part[0]',
        FilterExpression: 'begins_with(pk, :audit) AND NOT attribute_exists (hidden) OR size(#w) > :n',
        ExpressionAttributeNames: { '#w': 'sealWindow' },
      }),
    ).toEqual({
      action: 'dynamodb:Scan',
      resource: tableArn,
      attributes: ['pk', 'sealWindow', 'nested', 'hidden'],
      select: 'SPECIFIC_ATTRIBUTES',
    });
  });

  it('is any attribute where it names them in the older way', () => {
    expect(scan({ AttributesToGet: ['pk'] })?.attributes).toEqual(['\u0000']);
  });
});
