import { randomUUID } from 'node:crypto';
import { type AttributeMap, fromAttributeMap, toAttributeMap } from './attribute-values.ts';
import { attempt, CallFailed, type Patience, patience, type Send } from './dynamodb-call.ts';
import type { Key } from './key.ts';
import type { Condition, Item, Query, Table, Update, Write } from './table.ts';

/** DynamoDB Developer Guide, "Service quotas": keys of a BatchGetItem, writes of a transaction. */
const mostKeys = 100;
const mostWrites = 100;

/** The port over one way of sending a call: the requests' shapes, the values' form, the attempts. */
export function createDynamoDbTable(options: {
  readonly tableName: string;
  readonly send: Send;
  readonly patience?: Patience;
}): Table {
  const waiting = options.patience ?? patience;
  return {
    ...reads(options.tableName, options.send, waiting),
    ...writes(options.tableName, options.send, waiting),
  };
}

function reads(TableName: string, send: Send, waiting: Patience): Pick<Table, 'get' | 'batchGet' | 'query'> {
  const read = { ...waiting, repeatable: true };
  return {
    async get(key, readOptions = {}) {
      const input = { TableName, Key: keyOf(key), ConsistentRead: readOptions.consistent ?? true };
      const answer = await attempt(() => send('GetItem', input), read);
      return answer.Item === undefined ? undefined : fromAttributeMap(answer.Item as AttributeMap);
    },

    async batchGet(keys) {
      if (keys.length === 0) return [];
      if (keys.length > mostKeys) throw new RangeError(`more than ${mostKeys} keys in one batch`);
      const found = new Map<string, Item>();
      // DynamoDB refuses a key that stands twice.
      let missing: readonly AttributeMap[] = [
        ...new Map(keys.map((key) => [nameOf(key), keyOf(key)])).values(),
      ];
      await attempt(async () => {
        let asked: number;
        // An answer holds 16 MB at most: while one brings something, the rest is asked for at once.
        do {
          asked = missing.length;
          const RequestItems = { [TableName]: { Keys: missing, ConsistentRead: true } };
          const answer = await send('BatchGetItem', { RequestItems });
          for (const map of itemsOf(answer.Responses, TableName)) {
            const item = fromAttributeMap(map);
            found.set(nameOf(item as unknown as Key), item);
          }
          missing = unprocessedOf(answer.UnprocessedKeys, TableName);
        } while (missing.length > 0 && missing.length < asked);
        // One that brings nothing is load: as after a throttled call.
        if (missing.length > 0) throw new CallFailed('ProvisionedThroughputExceededException', 400);
      }, read);
      return keys.map((key) => found.get(nameOf(key)));
    },

    async query(query) {
      const answer = await attempt(() => send('Query', queryInput(TableName, query)), read);
      const items = ((answer.Items ?? []) as AttributeMap[]).map(fromAttributeMap);
      const last = answer.LastEvaluatedKey as AttributeMap | undefined;
      if (last === undefined) return { items };
      return { items, next: query.index ? JSON.stringify(last) : String(fromAttributeMap(last).sk) };
    },
  };
}

function writes(
  TableName: string,
  send: Send,
  waiting: Patience,
): Pick<Table, 'put' | 'update' | 'transact'> {
  const write = { ...waiting, repeatable: false };
  return {
    async put(item, condition) {
      const input = { TableName, Item: toAttributeMap(item), ...conditionOf(condition) };
      await attempt(() => send('PutItem', input), write);
    },

    async update(update) {
      const input = { TableName, ...updateOf(update), ReturnValues: 'ALL_NEW' };
      const answer = await attempt(() => send('UpdateItem', input), write);
      return fromAttributeMap((answer.Attributes ?? {}) as AttributeMap);
    },

    async transact(items, token = randomUUID()) {
      if (items.length > mostWrites)
        throw new RangeError(`more than ${mostWrites} writes in one transaction`);
      const input = {
        // Made once for all attempts: DynamoDB then takes a repeat for the same act.
        ClientRequestToken: token,
        TransactItems: items.map((one) => transactItem(TableName, one)),
      };
      await attempt(() => send('TransactWriteItems', input), { ...write, repeatable: true });
    },
  };
}

function keyOf(key: Key): AttributeMap {
  return { pk: { S: key.pk }, sk: { S: key.sk } };
}

function nameOf(key: Key): string {
  return JSON.stringify([key.pk, key.sk]);
}

function conditionOf(condition: Condition | undefined): object {
  if (condition === undefined) return {};
  return { ConditionExpression: condition.expression, ...placeholders(condition) };
}

/** DynamoDB refuses empty maps here. */
function placeholders(of: Pick<Condition, 'names' | 'values'>): object {
  return {
    ...(of.names && Object.keys(of.names).length > 0 && { ExpressionAttributeNames: of.names }),
    ...(of.values &&
      Object.keys(of.values).length > 0 && { ExpressionAttributeValues: toAttributeMap(of.values) }),
  };
}

function updateOf(update: Update): object {
  return {
    Key: keyOf(update.key),
    UpdateExpression: update.expression,
    ConditionExpression: update.condition,
    ...placeholders(update),
  };
}

function transactItem(TableName: string, write: Write): object {
  if ('put' in write) {
    return { Put: { TableName, Item: toAttributeMap(write.put), ...conditionOf(write.condition) } };
  }
  if ('update' in write) return { Update: { TableName, ...updateOf(write.update) } };
  if ('delete' in write) {
    return { Delete: { TableName, Key: keyOf(write.delete), ...conditionOf(write.condition) } };
  }
  return { ConditionCheck: { TableName, Key: keyOf(write.check), ...conditionOf(write.condition) } };
}

function queryInput(TableName: string, query: Query): object {
  const partition = `${query.index?.attribute ?? 'pk'} = :pk`;
  const bound = sortKeyBound(query);
  return {
    TableName,
    ...(query.index === undefined ? { ConsistentRead: true } : { IndexName: query.index.name }),
    KeyConditionExpression: bound === undefined ? partition : `${partition} AND ${bound}`,
    ExpressionAttributeValues: toAttributeMap({
      ':pk': query.pk,
      ':prefix': query.skBeginsWith,
      ':from': query.skFrom,
      ':to': query.skTo,
    }),
    ScanIndexForward: !query.descending,
    ...projectionOf(query.attributes),
    ...(query.limit !== undefined && { Limit: query.limit }),
    ...(query.after !== undefined && { ExclusiveStartKey: startKey(query.pk, query.after, query.index) }),
  };
}

/** DynamoDB takes one condition on the sort key. */
function sortKeyBound({ skBeginsWith, skFrom, skTo }: Query): string | undefined {
  if (skBeginsWith !== undefined) return 'begins_with(sk, :prefix)';
  if (skFrom !== undefined) return skTo === undefined ? 'sk >= :from' : 'sk BETWEEN :from AND :to';
  return skTo === undefined ? undefined : 'sk <= :to';
}

/** By placeholders: any name may be a reserved word of the expressions. */
function projectionOf(attributes: Query['attributes']): object {
  if (attributes === undefined) return {};
  const names = attributes.map((name, index) => [`#p${index}`, name] as const);
  return {
    ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names),
  };
}

function startKey(pk: string, after: string, index: Query['index']): AttributeMap {
  return index === undefined ? keyOf({ pk, sk: after }) : (JSON.parse(after) as AttributeMap);
}

function itemsOf(responses: unknown, tableName: string): readonly AttributeMap[] {
  return (responses as Record<string, readonly AttributeMap[]> | undefined)?.[tableName] ?? [];
}

function unprocessedOf(unprocessed: unknown, tableName: string): readonly AttributeMap[] {
  return (
    (unprocessed as Record<string, { Keys?: readonly AttributeMap[] }> | undefined)?.[tableName]?.Keys ?? []
  );
}
