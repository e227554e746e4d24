import { describe, expect, it } from 'vitest';
import { checkRequest } from '../../../local/aws/dynamodb/request-checks.ts';
import { declaredTables } from '../../../local/aws/dynamodb/tables.ts';
import { assembly, table } from './declarations.ts';

const declared = table({
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byOwner',
      KeySchema: [{ AttributeName: 'holder', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['digest'] },
    },
  ],
});
const tables = declaredTables(assembly(declared));
const check = (operation: string, input: Record<string, unknown>) => () =>
  checkRequest(operation, { TableName: 'environment', ...input }, tables);

const partition = {
  KeyConditionExpression: '#p = :p AND begins_with(sk, :s)',
  ExpressionAttributeNames: { '#p': 'pk' },
  ExpressionAttributeValues: { ':p': { S: 'DSNP#1' }, ':s': { S: '' } },
};
const byOwner = {
  IndexName: 'byOwner',
  KeyConditionExpression: 'holder = :o',
  ExpressionAttributeValues: { ':o': { S: 'o' } },
};

describe('what DynamoDB refuses and the engine takes', () => {
  it.each([
    ['an empty partition key', { ':p': { S: '' }, ':s': { S: 'x' } }, 'empty string value. Key: pk'],
    ['a partition key of another type', { ':p': { N: '1' }, ':s': { S: 'x' } }, 'does not match schema type'],
  ])('is a query for %s', (_what, ExpressionAttributeValues, message) => {
    expect(check('Query', { ...partition, ExpressionAttributeValues })).toThrow(message);
  });

  it('is a page that begins in another partition', () => {
    const start = (pk: string) => ({ ...partition, ExclusiveStartKey: { pk: { S: pk }, sk: { S: 'x' } } });
    expect(check('Query', start('MAPD#1'))).toThrow('outside query boundaries');
    expect(check('Query', start('DSNP#1'))).not.toThrow();
  });

  it('is an attribute its index does not have', () => {
    const reading = (ProjectionExpression: string) => ({
      ...byOwner,
      ProjectionExpression,
      ExpressionAttributeNames: { '#s': 'secret' },
    });
    expect(check('Query', reading('pk, #s.deep, digest'))).toThrow(
      'Global secondary index byOwner does not project [secret]',
    );
    expect(check('Query', reading('pk, sk, holder, digest'))).not.toThrow();
  });

  it('is an expression of too many operators, also in a transaction', () => {
    const many = (count: number) => Array.from({ length: count }, () => 'a = :a').join(' OR ');
    expect(check('PutItem', { ConditionExpression: many(151) })).toThrow('too many operators');
    expect(check('PutItem', { ConditionExpression: many(150) })).not.toThrow();
    const TransactItems = [{ Put: { ConditionExpression: many(151) } }];
    expect(check('TransactWriteItems', { TransactItems })).toThrow('too many operators');
  });

  it('is an IN of more than 100', () => {
    const among = (count: number) => `a IN (${Array.from({ length: count }, () => ':a').join(', ')})`;
    expect(check('PutItem', { ConditionExpression: among(101) })).toThrow('too many operands');
    expect(check('PutItem', { ConditionExpression: among(100) })).not.toThrow();
  });

  it('is an empty token of a transaction', () => {
    expect(check('TransactWriteItems', { ClientRequestToken: '', TransactItems: [] })).toThrow(
      'clientRequestToken',
    );
  });

  it('is none of what is asked for in order', () => {
    expect(check('Query', partition)).not.toThrow();
    expect(check('Query', byOwner)).not.toThrow();
    expect(check('GetItem', { Key: { pk: { S: 'a' }, sk: { S: 'b' } } })).not.toThrow();
  });
});
