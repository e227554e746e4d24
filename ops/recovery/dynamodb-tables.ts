/** A table of an environment for a restore, over DynamoDB. */

import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  type DynamoDBClient,
  type KeysAndAttributes,
  QueryCommand,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandOutput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { RecoveryTable, StoredItem, StoredKey } from './carry-forward.ts';

/** Most keys of a BatchGetItem, and most requests of a BatchWriteItem. */
const keysAtOnce = 100;
const writesAtOnce = 25;
/** Milliseconds before unprocessed parts of a batch are sent again, doubled each time up to the second number. */
const [firstWaitMs, longestWaitMs] = [50, 5_000];

type Item = Record<string, AttributeValue>;

/**
 * Makes the table. Reads are strongly consistent; what DynamoDB leaves unprocessed is sent again until it is done.
 *
 * @param partitions the only partitions that its pages are of. @default all
 */
export function recoveryTable(
  client: DynamoDBClient,
  TableName: string,
  partitions?: readonly string[],
): RecoveryTable {
  const common = { TableName, ConsistentRead: true };
  const readers: readonly ((page: object) => Promise<ScanCommandOutput | QueryCommandOutput>)[] =
    partitions === undefined
      ? [async (page) => await client.send(new ScanCommand({ ...common, ...page }))]
      : partitions.map((partition) => async (page) => {
          const ExpressionAttributeValues = { ':partition': { S: partition } };
          const KeyConditionExpression = 'pk = :partition';
          return await client.send(
            new QueryCommand({ ...common, KeyConditionExpression, ExpressionAttributeValues, ...page }),
          );
        });

  async function read(keys: readonly StoredKey[]): Promise<readonly StoredItem[]> {
    const found: Item[] = [];
    let asked: KeysAndAttributes | undefined = { Keys: keys.map(keyOf), ConsistentRead: true };
    for (let wait = firstWaitMs; asked !== undefined; wait = Math.min(2 * wait, longestWaitMs)) {
      const answer: BatchGetItemCommandOutput = await client.send(
        new BatchGetItemCommand({ RequestItems: { [TableName]: asked } }),
      );
      found.push(...(answer.Responses?.[TableName] ?? []));
      asked = answer.UnprocessedKeys?.[TableName];
      if (asked !== undefined) await pause(wait);
    }
    return found as unknown as StoredItem[];
  }

  async function write(requests: readonly WriteRequest[]): Promise<void> {
    let left: WriteRequest[] | undefined = [...requests];
    for (
      let wait = firstWaitMs;
      left !== undefined && left.length > 0;
      wait = Math.min(2 * wait, longestWaitMs)
    ) {
      const { UnprocessedItems = {} }: BatchWriteItemCommandOutput = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [TableName]: left } }),
      );
      left = UnprocessedItems[TableName];
      if (left !== undefined) await pause(wait);
    }
  }

  return {
    async *pages(keysOnly) {
      for (const readPage of readers) {
        let from: Item | undefined;
        do {
          const { Items = [], LastEvaluatedKey } = await readPage({
            ...(keysOnly && { ProjectionExpression: 'pk, sk' }),
            ...(from !== undefined && { ExclusiveStartKey: from }),
          });
          yield Items as unknown as StoredItem[];
          from = LastEvaluatedKey;
        } while (from !== undefined);
      }
    },
    async find(keys) {
      const found = [];
      for (const some of inGroups(keys, keysAtOnce)) found.push(...(await read(some)));
      return found;
    },
    async put(items) {
      for (const some of inGroups(items, writesAtOnce))
        await write(some.map((Item) => ({ PutRequest: { Item: Item as unknown as Item } })));
    },
    async remove(keys) {
      for (const some of inGroups(keys, writesAtOnce))
        await write(some.map((key) => ({ DeleteRequest: { Key: keyOf(key) } })));
    },
  };
}

function keyOf({ pk, sk }: StoredKey): Item {
  return { pk: { S: pk.S }, sk: { S: sk.S } };
}

function inGroups<Member>(members: readonly Member[], size: number): readonly (readonly Member[])[] {
  return Array.from({ length: Math.ceil(members.length / size) }, (_, at) =>
    members.slice(at * size, (at + 1) * size),
  );
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
