/** DynamoDB table port: conditional writes, transactions, queries, batch reads and retries, over the SDK or signed requests. */

import { randomUUID } from 'node:crypto';
import {
  CallFailed,
  callWithRetries,
  type RetryTiming,
  type Send,
  systemRetryTiming,
} from './dynamodb-call.ts';
import type { Key } from './key.ts';
import { mergeAttributeChanges } from './merge-attribute-changes.ts';
import {
  type AttributeChanges,
  type Condition,
  ConditionFailed,
  type Item,
  type Query,
  type Table,
  type Update,
  type Write,
} from './table.ts';

/** Maximum keys of a BatchGetItem, and writes of a transaction (DynamoDB Developer Guide, "Service quotas"). */
const mostKeys = 100;
const mostWrites = 100;

/** Converts items between plain JavaScript values and the form that a `Send` uses. */
export interface ItemCodec {
  readonly encode: (item: Item) => object;
  readonly decode: (sent: object) => Item;
}

interface Connection {
  readonly tableName: string;
  readonly send: Send;
  readonly codec: ItemCodec;
}

/** Implements the table port over a `Send`: builds requests, parses answers, repeats failed calls. */
export function createDynamoDbTable(options: Connection & { readonly patience?: RetryTiming }): Table {
  const waiting = options.patience ?? systemRetryTiming;
  return { ...reads(options, waiting), ...writes(options, waiting) };
}

function reads(connection: Connection, waiting: RetryTiming): Pick<Table, 'get' | 'batchGet' | 'query'> {
  const { tableName: TableName, send, codec } = connection;
  const read = { ...waiting, repeatable: true };
  return {
    async get(key, readOptions = {}) {
      const input = {
        TableName,
        Key: codec.encode(keyOf(key)),
        ConsistentRead: readOptions.consistent ?? true,
      };
      const answer = await callWithRetries(() => send('GetItem', input), read);
      return answer.Item === undefined ? undefined : codec.decode(answer.Item as object);
    },

    async batchGet(keys) {
      if (keys.length === 0) return [];
      if (keys.length > mostKeys) throw new RangeError(`more than ${mostKeys} keys in one batch`);
      const found = new Map<string, Item>();
      // DynamoDB refuses a request that repeats a key.
      let missing: readonly object[] = [
        ...new Map(keys.map((key) => [nameOf(key), codec.encode(keyOf(key))])).values(),
      ];
      await callWithRetries(async () => {
        let asked: number;
        // A response has at most 16 MB. While responses have items, the missing ones are requested at once.
        do {
          asked = missing.length;
          const RequestItems = { [TableName]: { Keys: missing, ConsistentRead: true } };
          const answer = await send('BatchGetItem', { RequestItems });
          for (const map of itemsOf(answer.Responses, TableName)) {
            const item = codec.decode(map);
            found.set(nameOf(item as unknown as Key), item);
          }
          missing = unprocessedOf(answer.UnprocessedKeys, TableName);
        } while (missing.length > 0 && missing.length < asked);
        // A response without items is a sign of load: the call is repeated as after throttling.
        if (missing.length > 0) throw new CallFailed('ProvisionedThroughputExceededException', 400);
      }, read);
      return keys.map((key) => found.get(nameOf(key)));
    },

    async query(query) {
      const answer = await callWithRetries(() => send('Query', queryInput(connection, query)), read);
      const items = ((answer.Items ?? []) as object[]).map(codec.decode);
      if (answer.LastEvaluatedKey === undefined) return { items };
      const last = codec.decode(answer.LastEvaluatedKey as object);
      return { items, next: query.index ? JSON.stringify(last) : String(last.sk) };
    },
  };
}

function writes(connection: Connection, waiting: RetryTiming): Pick<Table, 'put' | 'update' | 'transact'> {
  const { tableName: TableName, send, codec } = connection;
  const build = requestParts(connection);
  const write = { ...waiting, repeatable: false };
  return {
    async put(item, condition) {
      const input = { TableName, Item: codec.encode(item), ...build.conditionOf(condition) };
      await callWithRetries(() => send('PutItem', input), write);
    },

    async update(update) {
      const input = { TableName, ...build.updateOf(update), ReturnValues: 'ALL_NEW' };
      const answer = await callWithRetries(() => send('UpdateItem', input), write);
      return codec.decode(answer.Attributes ?? {});
    },

    async transact(items, token = randomUUID()) {
      const { writes, positions } = mergeAttributeChanges(items);
      if (writes.length > mostWrites)
        throw new RangeError(`more than ${mostWrites} writes in one transaction`);
      const input = {
        // The token is the same in all attempts, so that DynamoDB recognizes a repeated transaction.
        ClientRequestToken: token,
        TransactItems: writes.map(build.transactItem),
      };
      try {
        await callWithRetries(() => send('TransactWriteItems', input), { ...write, repeatable: true });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        throw new ConditionFailed(error.failed.map((at) => positions[at] ?? at));
      }
    },
  };
}

/** The key alone, because callers may pass an item with more attributes. */
function keyOf({ pk, sk }: Key): Item {
  return { pk, sk };
}

function nameOf(key: Key): string {
  return `${key.pk.length} ${key.pk}${key.sk}`;
}

/** Functions that build the common parts of write requests. */
function requestParts({ tableName: TableName, codec }: Connection) {
  /** DynamoDB refuses empty maps of placeholders. */
  const placeholders = (of: Pick<Condition, 'names' | 'values'>): object => ({
    ...(of.names && Object.keys(of.names).length > 0 && { ExpressionAttributeNames: of.names }),
    ...(of.values &&
      Object.keys(of.values).length > 0 && { ExpressionAttributeValues: codec.encode(of.values) }),
  });
  const conditionOf = (condition: Condition | undefined): object =>
    condition === undefined ? {} : { ConditionExpression: condition.expression, ...placeholders(condition) };
  const updateOf = (update: Update): object => ({
    Key: codec.encode(keyOf(update.key)),
    UpdateExpression: update.expression,
    ConditionExpression: update.condition,
    ...placeholders(update),
  });
  const attributesOf = ({ key, set, remove }: AttributeChanges): object => {
    const names = [...Object.keys(set), ...remove];
    const assigned = Object.keys(set).map((_, at) => `#a${at} = :a${at}`);
    const removed = remove.map((_, at) => `#a${assigned.length + at}`);
    return {
      Key: codec.encode(keyOf(key)),
      UpdateExpression: [
        ...(assigned.length > 0 ? [`SET ${assigned.join(', ')}`] : []),
        ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
      ].join(' '),
      ...placeholders({
        names: Object.fromEntries(names.map((name, at) => [`#a${at}`, name])),
        values: Object.fromEntries(Object.values(set).map((value, at) => [`:a${at}`, value])),
      }),
    };
  };
  const transactItem = (write: Write): object => {
    if ('put' in write) {
      return { Put: { TableName, Item: codec.encode(write.put), ...conditionOf(write.condition) } };
    }
    if ('update' in write) return { Update: { TableName, ...updateOf(write.update) } };
    if ('attributes' in write) return { Update: { TableName, ...attributesOf(write.attributes) } };
    const [name, key] = 'delete' in write ? ['Delete', write.delete] : ['ConditionCheck', write.check];
    return { [name]: { TableName, Key: codec.encode(keyOf(key)), ...conditionOf(write.condition) } };
  };
  return { conditionOf, updateOf, transactItem };
}

/** The partition key of a write's item. */
export function partitionOf(write: Write): string {
  if ('put' in write) return write.put.pk;
  if ('update' in write) return write.update.key.pk;
  if ('attributes' in write) return write.attributes.key.pk;
  return 'delete' in write ? write.delete.pk : write.check.pk;
}

/** The items of the writes that are puts. */
export function putItems(writes: readonly Write[]): readonly Item[] {
  return writes.flatMap((write) => ('put' in write ? [write.put] : []));
}

function queryInput({ tableName: TableName, codec }: Connection, query: Query): object {
  const partition = `${query.index?.attribute ?? 'pk'} = :pk`;
  const bound = sortKeyBound(query);
  return {
    TableName,
    ...(query.index === undefined ? { ConsistentRead: true } : { IndexName: query.index.name }),
    KeyConditionExpression: bound === undefined ? partition : `${partition} AND ${bound}`,
    ExpressionAttributeValues: codec.encode({
      ':pk': query.pk,
      ':prefix': query.skBeginsWith,
      ':from': query.skFrom,
      ':to': query.skTo,
    }),
    ScanIndexForward: !query.descending,
    ...projectionOf(query.attributes),
    ...(query.limit !== undefined && { Limit: query.limit }),
    ...(query.after !== undefined && { ExclusiveStartKey: codec.encode(startKey(query, query.after)) }),
  };
}

/** The condition on the sort key; DynamoDB accepts one. */
function sortKeyBound({ skBeginsWith, skFrom, skTo }: Query): string | undefined {
  if (skBeginsWith !== undefined) return 'begins_with(sk, :prefix)';
  if (skFrom !== undefined) return skTo === undefined ? 'sk >= :from' : 'sk BETWEEN :from AND :to';
  return skTo === undefined ? undefined : 'sk <= :to';
}

/** Projection with placeholders, because any name may be a reserved word. */
function projectionOf(attributes: Query['attributes']): object {
  if (attributes === undefined) return {};
  const names = attributes.map((name, index) => [`#p${index}`, name] as const);
  return {
    ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names),
  };
}

function startKey({ pk, index }: Query, after: string): Item {
  return index === undefined ? { pk, sk: after } : (JSON.parse(after) as Item);
}

function itemsOf(responses: unknown, tableName: string): readonly object[] {
  return (responses as Record<string, readonly object[]> | undefined)?.[tableName] ?? [];
}

function unprocessedOf(unprocessed: unknown, tableName: string): readonly object[] {
  return (unprocessed as Record<string, { Keys?: readonly object[] }> | undefined)?.[tableName]?.Keys ?? [];
}
