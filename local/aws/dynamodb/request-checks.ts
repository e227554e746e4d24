/** Local DynamoDB: checks of requests that the embedded engine omits; the proxy makes them before it forwards a request. */

import { AwsError } from '../protocol/aws-error.ts';
import type { TableDeclaration } from './tables.ts';

type Json = Readonly<Record<string, unknown>>;

interface Index {
  readonly IndexName?: string;
  readonly KeySchema?: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
}

/**
 * Refuses requests that DynamoDB refuses but the embedded engine accepts, so that they fail locally too.
 *
 * @throws AwsError `ValidationException` in DynamoDB's words.
 */
export function checkRequest(
  operation: string,
  input: Json,
  tables: ReadonlyMap<string, TableDeclaration>,
): void {
  checkExpressions(input);
  if (operation === 'TransactWriteItems' && input.ClientRequestToken === '') {
    throw invalid(
      "1 validation error detected: Value at 'clientRequestToken' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  }
  const table = tables.get(String(input.TableName));
  if (operation === 'Query' && table !== undefined) checkQuery(input, table);
}

const expressions = [
  'ConditionExpression',
  'FilterExpression',
  'KeyConditionExpression',
  'UpdateExpression',
] as const;

/** Most operators and functions in an expression, and most operands of IN. Source: "Quotas". */
const mostOperators = 300;
const mostOperands = 100;

function checkExpressions(input: Json): void {
  const members = Array.isArray(input.TransactItems) ? input.TransactItems.flatMap(Object.values) : [];
  for (const one of [input, ...members] as readonly Json[]) {
    for (const name of expressions) if (typeof one[name] === 'string') checkExpression(name, one[name]);
  }
}

function checkExpression(name: string, text: string): void {
  const operators =
    text.match(/<>|<=|>=|[=<>+-]|\b(?:AND|OR|NOT|BETWEEN|IN)\b|\b(?!AND\b|OR\b|NOT\b|IN\b)\w+\s*\(/gi)
      ?.length ?? 0;
  if (operators > mostOperators) {
    throw invalid(
      `Invalid ${name}: The expression contains too many operators; operator count: ${operators}, maximum allowed: ${mostOperators}`,
    );
  }
  for (const [, operands = ''] of text.matchAll(/\bIN\s*\(([^)]*)\)/gi)) {
    if (operands.split(',').length > mostOperands) {
      throw invalid(
        `Invalid ${name}: The IN operator is provided with too many operands; number of operands: ${operands.split(',').length}`,
      );
    }
  }
}

function checkQuery(input: Json, table: TableDeclaration): void {
  const indexes = (table.properties.GlobalSecondaryIndexes ?? []) as readonly Index[];
  const index = indexes.find(({ IndexName }) => IndexName === input.IndexName);
  const keys = (index?.KeySchema ?? table.properties.KeySchema ?? []) as NonNullable<Index['KeySchema']>;
  const bounds = conditionsOf(input);
  for (const { attribute, value } of bounds) {
    if (keys.some(({ AttributeName }) => AttributeName === attribute)) checkKeyValue(attribute, value, table);
  }
  checkStart(input, bounds);
  if (index !== undefined) checkProjection(input, index, keys, table);
}

interface Bound {
  readonly attribute: string;
  readonly value: Json;
  readonly equal: boolean;
}

/** The attributes in a query's key condition, with the values they are compared with. */
function conditionsOf(input: Json): readonly Bound[] {
  const names = object(input.ExpressionAttributeNames);
  const values = object(input.ExpressionAttributeValues);
  const text = typeof input.KeyConditionExpression === 'string' ? input.KeyConditionExpression : '';
  return [...text.matchAll(/(#?[\w.-]+)\s*(=|<=|>=|<|>)\s*(:\w+)/g)].map(
    ([, name = '', operator, value = '']) => ({
      attribute: String(names[name] ?? name),
      value: object(values[value]),
      equal: operator === '=',
    }),
  );
}

function checkKeyValue(attribute: string, value: Json, table: TableDeclaration): void {
  const definitions = (table.properties.AttributeDefinitions ?? []) as readonly {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }[];
  const type = definitions.find(({ AttributeName }) => AttributeName === attribute)?.AttributeType;
  if (type !== undefined && value[type] === undefined) {
    throw invalid(
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    );
  }
  if (value.S === '' || value.B === '') {
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${attribute}`,
    );
  }
}

/** Checks that the start key of a page is in the queried partition. */
function checkStart(input: Json, bounds: readonly Bound[]): void {
  if (input.ExclusiveStartKey === undefined) return;
  const start = object(input.ExclusiveStartKey);
  for (const { attribute, value, equal } of bounds) {
    if (equal && JSON.stringify(start[attribute]) !== JSON.stringify(value))
      throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  }
}

/** Checks that a query of a global index asks only for projected attributes. */
function checkProjection(
  input: Json,
  { IndexName, Projection }: Index,
  keys: NonNullable<Index['KeySchema']>,
  table: TableDeclaration,
): void {
  if (Projection?.ProjectionType === 'ALL' || typeof input.ProjectionExpression !== 'string') return;
  const names = object(input.ExpressionAttributeNames);
  const tableKeys = (table.properties.KeySchema ?? []) as NonNullable<Index['KeySchema']>;
  const projected = new Set([
    ...[...keys, ...tableKeys].map(({ AttributeName }) => AttributeName),
    ...(Projection?.NonKeyAttributes ?? []),
  ]);
  const missing = input.ProjectionExpression.split(',')
    .map((path) => path.trim().split(/[.[]/)[0] ?? '')
    .map((name) => String(names[name] ?? name))
    .filter((name) => !projected.has(name));
  if (missing.length > 0) {
    throw invalid(
      `One or more parameter values were invalid: Global secondary index ${IndexName} does not project [${missing.join(', ')}]`,
    );
  }
}

function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
