/** Local DynamoDB: creates the tables of the templates in the engine. */

import { AssemblyError } from '../../assembly/assembly-error.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { engineHeaders } from './proxy.ts';
import type { TableDeclaration } from './tables.ts';

type Json = Record<string, unknown>;

/**
 * Name of an index by the second in which an item's time to live ends. It exists on this machine only: no template and no role names it.
 */
export const expiryIndex = 'local-expiry';

/** Calls the engine without the AWS SDK, which would add a quarter of a second to the start. */
export async function callEngine(endpoint: string, operation: string, input: Json): Promise<Json> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...engineHeaders,
      'x-amz-target': `DynamoDB_20120810.${operation}`,
    },
    body: JSON.stringify(input),
  });
  const output = (await answer.json()) as Json;
  if (answer.ok) return output;
  const code = String(output.__type).split('#').at(-1) ?? 'InternalServerError';
  throw new AwsError(code, String(output.message ?? output.Message ?? code), answer.status);
}

/**
 * Creates a table with its indexes. An existing table with the same keys is kept with its items.
 *
 * @throws AssemblyError if an existing table has other keys or indexes than the template, because items can't be given other keys.
 */
export async function deployTable(endpoint: string, table: TableDeclaration): Promise<void> {
  const wanted = creation(table);
  const existing = await describe(endpoint, table.name);
  if (existing === undefined) {
    await callEngine(endpoint, 'CreateTable', wanted);
    return;
  }
  if (keysOf(existing) !== keysOf(wanted)) {
    throw new AssemblyError(
      `the table ${table.name} on this machine has other keys or indexes than the template; start afresh with: npm start -- --fresh`,
    );
  }
}

/** The attribute with an item's time to live (epoch seconds), if the template declares one. */
export function timeToLiveAttribute(table: TableDeclaration): string | undefined {
  const { TimeToLiveSpecification: ttl } = table.properties as {
    TimeToLiveSpecification?: { Enabled?: boolean | string; AttributeName?: string };
  };
  return String(ttl?.Enabled) === 'true' ? ttl?.AttributeName : undefined;
}

function creation(table: TableDeclaration): Json {
  const { name, properties } = table;
  const ttl = timeToLiveAttribute(table);
  const byExpiry = {
    IndexName: expiryIndex,
    KeySchema: [{ AttributeName: ttl, KeyType: 'HASH' }],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  };
  const indexes = (kind: string, ...more: readonly Json[]): Json => {
    const all = [...list(properties[kind]), ...more];
    return all.length === 0
      ? {}
      : { [kind]: all.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection })) };
  };
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      ...list(properties.AttributeDefinitions),
      ...(ttl === undefined ? [] : [{ AttributeName: ttl, AttributeType: 'N' }]),
    ],
    KeySchema: properties.KeySchema,
    ...indexes('GlobalSecondaryIndexes', ...(ttl === undefined ? [] : [byExpiry])),
    ...indexes('LocalSecondaryIndexes'),
  };
}

async function describe(endpoint: string, name: string): Promise<Json | undefined> {
  try {
    const { Table } = await callEngine(endpoint, 'DescribeTable', { TableName: name });
    return Table as Json;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/** Key schemas of the table and its indexes with the keys' types, as one text to compare. */
function keysOf(table: Json): string {
  const types = new Map(
    list(table.AttributeDefinitions).map(({ AttributeName, AttributeType }) => [
      AttributeName,
      AttributeType,
    ]),
  );
  const schema = (elements: unknown): string =>
    list(elements)
      .map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName} ${types.get(AttributeName)}`)
      .sort()
      .join(', ');
  const indexes = [...list(table.GlobalSecondaryIndexes), ...list(table.LocalSecondaryIndexes)];
  return [
    `table: ${schema(table.KeySchema)}`,
    ...indexes.map((one) => `${one.IndexName}: ${schema(one.KeySchema)}`).sort(),
  ].join('; ');
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
