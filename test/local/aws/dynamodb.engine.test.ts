import {
  BatchGetItemCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allow, assembly, role, table, tableArn } from './declarations.ts';
import { type Started, started } from './started.ts';

const TableName = 'environment';
const own = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DSNP#*'] } };
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });

describe('DynamoDB behind the endpoint', () => {
  let endpoint: Started;
  let fn: DynamoDBClient;
  let operator: DynamoDBClient;
  const calls: string[] = [];
  beforeAll(async () => {
    const rights = role(
      allow(
        [
          'dynamodb:GetItem',
          'dynamodb:BatchGetItem',
          'dynamodb:Query',
          'dynamodb:PutItem',
          'dynamodb:UpdateItem',
        ],
        tableArn,
        own,
      ),
      allow('dynamodb:PutItem', tableArn, {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['AUDIT#DSNP#*'] },
      }),
    );
    endpoint = await started({
      assembly: assembly(table(), rights),
      callLog: (line) => calls.push(line),
    });
    await endpoint.deploy();
    fn = new DynamoDBClient(endpoint.asFunction);
    operator = new DynamoDBClient(endpoint.asOperator);
    await operator.send(
      new PutItemCommand({ TableName, Item: { ...key('MAPD#PATIENT#1'), holder: { S: 'o' } } }),
    );
    await operator.send(new PutItemCommand({ TableName, Item: key('DSNP#PATIENT#1') }));
  });
  afterAll(() => endpoint.stopAndForget());

  it('says of each call what it was, how it went and whose it was, and nothing of what was in it', async () => {
    // Calls are logged after they are answered, so the two writes above may be missing at first.
    await expect.poll(() => calls.filter((call) => call.includes(' PutItem ')).length).toBe(2);
    calls.length = 0;
    await fn.send(new GetItemCommand({ TableName, Key: key('DSNP#PATIENT#1') }));
    await fn.send(new GetItemCommand({ TableName, Key: key('MAPD#PATIENT#1') })).catch(() => {});
    await expect.poll(() => calls).toHaveLength(2);
    expect(calls[0]).toMatch(/^aws: dynamodb GetItem 200 \d+ ms by local$/);
    expect(calls[1]).toMatch(/^aws: dynamodb GetItem 400 \d+ ms by local$/);
  });

  it('reads an item of a partition the role may read', async () => {
    const answer = await fn.send(new GetItemCommand({ TableName, Key: key('DSNP#PATIENT#1') }));
    expect(answer.Item).toEqual(key('DSNP#PATIENT#1'));
  });

  it("refuses another LOB's partition to every operation, in DynamoDB's words", async () => {
    const foreign = key('MAPD#PATIENT#1');
    const attempts = [
      new GetItemCommand({ TableName, Key: foreign }),
      new GetItemCommand({ TableName: tableArn, Key: foreign }),
      new PutItemCommand({ TableName, Item: foreign }),
      new UpdateItemCommand({ TableName, Key: foreign }),
      new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [key('DSNP#PATIENT#1'), foreign] } } }),
      new QueryCommand({
        TableName,
        KeyConditionExpression: '#p = :p',
        ExpressionAttributeNames: { '#p': 'pk' },
        ExpressionAttributeValues: { ':p': { S: 'MAPD#PATIENT#1' } },
      }),
      new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: foreign } }] }),
    ];
    for (const attempt of attempts) {
      await expect(fn.send(attempt as GetItemCommand)).rejects.toMatchObject({
        name: 'AccessDeniedException',
        message: expect.stringMatching(
          /^User: arn:aws:sts::123456789012:assumed-role\/reader\/local is not authorized to perform: dynamodb:\w+ on resource: arn:aws:dynamodb:us-east-1:123456789012:table\/environment because/,
        ),
      });
    }
    expect((await operator.send(new GetItemCommand({ TableName, Key: foreign }))).Item).toHaveProperty(
      'holder',
    );
  });

  it('lets the audit be written and not read', async () => {
    const audit = key('AUDIT#DSNP#PATIENT#1');
    await fn.send(new PutItemCommand({ TableName, Item: audit }));
    await expect(fn.send(new GetItemCommand({ TableName, Key: audit }))).rejects.toThrow('dynamodb:GetItem');
  });

  it('asks of a transaction the right to each of its items', async () => {
    const Put = { TableName, Item: key('DSNP#CODE#1') };
    await fn.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }));
    const Delete = { TableName, Key: key('DSNP#CODE#1') };
    await expect(fn.send(new TransactWriteItemsCommand({ TransactItems: [{ Delete }] }))).rejects.toThrow(
      'dynamodb:DeleteItem',
    );
  });

  it('refuses a transaction whose keys of one action two statements allow: AWS may ask for them together', async () => {
    const puts = ['DSNP#CODE#2', 'AUDIT#DSNP#PATIENT#2'].map((pk) => ({ Put: { TableName, Item: key(pk) } }));
    for (const each of puts) await fn.send(new TransactWriteItemsCommand({ TransactItems: [each] }));
    await expect(fn.send(new TransactWriteItemsCommand({ TransactItems: puts }))).rejects.toThrow(
      'dynamodb:PutItem',
    );
  });

  it('refuses an index, a scan and a statement the role names nowhere', async () => {
    const byOwner = {
      TableName,
      IndexName: 'byOwner',
      KeyConditionExpression: 'holder = :o',
      ExpressionAttributeValues: { ':o': { S: 'o' } },
    };
    await expect(fn.send(new QueryCommand(byOwner))).rejects.toThrow('table/environment/index/byOwner');
    await expect(fn.send(new ScanCommand({ TableName }))).rejects.toThrow('dynamodb:Scan');
    await expect(
      fn.send(new ExecuteStatementCommand({ Statement: 'SELECT * FROM environment' })),
    ).rejects.toMatchObject({ name: 'UnknownOperationException' });
    expect((await operator.send(new QueryCommand(byOwner))).Items).toHaveLength(1);
  });

  it('refuses an access key nobody was given', async () => {
    const nobody = new DynamoDBClient(endpoint.asNobody);
    await expect(
      nobody.send(new GetItemCommand({ TableName, Key: key('DSNP#PATIENT#1') })),
    ).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });

  it("passes the engine's own refusals on", async () => {
    await expect(
      fn.send(
        new PutItemCommand({
          TableName,
          Item: key('DSNP#PATIENT#1'),
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    ).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
    await expect(
      fn.send(new GetItemCommand({ TableName: 'other', Key: key('DSNP#1') })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
