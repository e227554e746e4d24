/** Local DynamoDB: determines the IAM actions and resources that a call needs. */

import { AwsError } from '../protocol/aws-error.ts';
import type { TableDeclaration } from './tables.ts';

/** An action on a resource that the caller's policies must allow. */
export interface RequiredAction {
  readonly action: string;
  readonly resource: string;
  /** Values of the partition keys that the call uses (`dynamodb:LeadingKeys`); absent if it uses none. */
  readonly leadingKeys?: readonly string[];
  /** Attributes in a Scan (`dynamodb:Attributes`), and its selection (`dynamodb:Select`) if there is one. */
  readonly attributes?: readonly string[];
  readonly select?: string;
  /** The transaction or other operation that contains this action (`dynamodb:EnclosingOperation`). */
  readonly within?: string;
}

type Json = Readonly<Record<string, unknown>>;
type Tables = ReadonlyMap<string, TableDeclaration>;

/** Stands for a partition key that can't be read; only the pattern `*` matches it. */
const unreadable = '\u0000';

/**
 * The permissions that an operation needs, by the Service Authorization Reference for DynamoDB: single-item and batch operations need their
 * own action, transactions an action for each item. AWS does not say how it groups the keys of a transaction, so both ways are required
 * here: each item by itself, and all items of an action together.
 *
 * @throws AwsError `UnknownOperationException` for PartiQL statements, whose keys can't be read here.
 */
export function requiredActionsOf(operation: string, input: Json, tables: Tables): readonly RequiredAction[] {
  switch (operation) {
    case 'GetItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [itemDemand(operation, input, input.Key, tables)];
    case 'PutItem':
      return [itemDemand(operation, input, input.Item, tables)];
    case 'Query':
    case 'Scan':
      return [readDemand(operation, input, tables)];
    case 'BatchGetItem':
      return batchDemands(operation, input, tables, (entry) => list(object(entry).Keys));
    case 'BatchWriteItem':
      return batchDemands(operation, input, tables, (entry) => list(entry).map(writtenKey));
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return transactionDemands(
        list(input.TransactItems).map((item) => transactionDemand(operation, item, tables)),
      );
    default:
      return otherDemands(operation, input, tables);
  }
}

function itemDemand(operation: string, input: Json, key: unknown, tables: Tables): RequiredAction {
  const table = tableOf(input.TableName, tables);
  return {
    action: `dynamodb:${operation}`,
    resource: table.arn,
    leadingKeys: [leadingKey(key, table)],
  };
}

function readDemand(operation: string, input: Json, tables: Tables): RequiredAction {
  const table = tableOf(input.TableName, tables);
  const index = typeof input.IndexName === 'string' ? input.IndexName : '';
  const action = `dynamodb:${operation}`;
  const resource = index === '' ? table.arn : `${table.arn}/index/${index}`;
  if (operation === 'Scan') return { action, resource, ...attributesOf(input) };
  const attribute = table.partitionKeys.get(index) ?? '';
  return { action, resource, leadingKeys: [queriedPartition(input, attribute)] };
}

/** The attributes in a Scan's projection and filter. Older parameters that name attributes count as any attribute. */
function attributesOf(input: Json): Pick<RequiredAction, 'attributes' | 'select'> {
  const names = object(input.ExpressionAttributeNames);
  const text = [input.ProjectionExpression, input.FilterExpression]
    .filter((expression) => typeof expression === 'string')
    .join(' , ')
    // Removes function names; their operands stay.
    .replaceAll(/\b\w+\s*\(/g, ' ');
  const written = [...text.matchAll(/(?<![:\w.#-])#?[A-Za-z_][\w-]*/g)]
    .map(([name]) => String(names[name] ?? name))
    .filter((name) => !/^(?:AND|OR|NOT|BETWEEN|IN)$/i.test(name));
  const older = ['AttributesToGet', 'ScanFilter'].filter((name) => input[name] !== undefined);
  return {
    attributes: [...new Set([...written, ...older.map(() => unreadable)])],
    ...(typeof input.Select === 'string' && { select: input.Select }),
  };
}

function batchDemands(
  operation: string,
  input: Json,
  tables: Tables,
  keysOf: (entry: unknown) => readonly unknown[],
): readonly RequiredAction[] {
  return Object.entries(object(input.RequestItems)).map(([name, entry]) => {
    const table = tableOf(name, tables);
    const leadingKeys = keysOf(entry).map((key) => leadingKey(key, table));
    return { action: `dynamodb:${operation}`, resource: table.arn, leadingKeys };
  });
}

function writtenKey(request: unknown): unknown {
  const { PutRequest, DeleteRequest } = object(request);
  return PutRequest === undefined ? object(DeleteRequest).Key : object(PutRequest).Item;
}

/** Actions of a transaction's members. Source: "IAM and DynamoDB transactions" in the DynamoDB developer guide. */
const memberActions: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** Removes duplicates: most items of a load's transaction are in a few partitions, and a policy decides the same for each of them. */
function transactionDemands(all: readonly RequiredAction[]): readonly RequiredAction[] {
  const demands = [
    ...new Map(all.map((each) => [`${each.action} ${each.resource} ${each.leadingKeys}`, each])).values(),
  ];
  const groups = Map.groupBy(demands, ({ action, resource }) => `${action} ${resource}`);
  const together = [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined || others.length === 0
      ? []
      : { ...first, leadingKeys: [first, ...others].flatMap(({ leadingKeys }) => leadingKeys ?? []) },
  );
  return [...demands, ...together];
}

function transactionDemand(operation: string, item: unknown, tables: Tables): RequiredAction {
  const [member, ...others] = Object.entries(object(item));
  const action = memberActions[member?.[0] ?? ''];
  if (member === undefined || action === undefined || others.length > 0) {
    throw new AwsError('ValidationException', 'TransactItems can only contain one of the known actions');
  }
  const input = object(member[1]);
  return { ...itemDemand(action, input, input.Key ?? input.Item, tables), within: operation };
}

function otherDemands(operation: string, input: Json, tables: Tables): readonly RequiredAction[] {
  if (/Statement|Transaction$/.test(operation)) {
    // PartiQL names tables and keys in its text, so `LeadingKeys` could not be checked; nothing deployed uses it.
    throw new AwsError('UnknownOperationException', `${operation} is not implemented on one machine`);
  }
  const resource = input.TableName === undefined ? '*' : tableOf(input.TableName, tables).arn;
  return [{ action: `dynamodb:${operation}`, resource }];
}

/** The partition key's value in a Query: `pk = :pk` in the expression, or the older KeyConditions. */
function queriedPartition(input: Json, attribute: string): string {
  const conditions = object(input.KeyConditions);
  if (conditions[attribute] !== undefined) {
    return scalar(list(object(conditions[attribute]).AttributeValueList)[0]);
  }
  const names = object(input.ExpressionAttributeNames);
  const values = object(input.ExpressionAttributeValues);
  const expression = typeof input.KeyConditionExpression === 'string' ? input.KeyConditionExpression : '';
  for (const [, name = '', value = ''] of expression.matchAll(/(#?[\w.-]+)\s*=\s*(:\w+)/g)) {
    if ((names[name] ?? name) === attribute) return scalar(values[value]);
  }
  return unreadable;
}

function leadingKey(key: unknown, table: TableDeclaration): string {
  return scalar(object(key)[table.partitionKeys.get('') ?? '']);
}

/** A key attribute's value as policies compare it: text, number or base64. */
function scalar(value: unknown): string {
  const { S, N, B } = object(value);
  return [S, N, B].find((given) => typeof given === 'string') ?? unreadable;
}

function tableOf(name: unknown, tables: Tables): TableDeclaration {
  const table = tables.get(String(name));
  if (table !== undefined) return table;
  throw new AwsError('ResourceNotFoundException', 'Requested resource not found');
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
