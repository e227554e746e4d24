/** Local DynamoDB: computes the read and write units that a request consumes. */

import type { Consumption } from './capacity.ts';
import type { TableDeclaration } from './tables.ts';

type Json = Readonly<Record<string, unknown>>;
type Tables = ReadonlyMap<string, TableDeclaration>;

/** Units of one part of a request (an item, a key, a query) at its table and the table's indexes. */
export interface RequestConsumption {
  readonly table: TableDeclaration;
  readonly consumed: readonly Consumption[];
}

const writeUnitBytes = 1_024;
const readUnitBytes = 4_096;

/**
 * The parts of a request, in order, with the least units that they consume. A write counts by the item it sends (an update by its values).
 * A read counts one unit, or half a unit if it need not be consistent; the rest follows from the response (`readUnits`). A transaction
 * takes twice as much.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function consumptionOf(operation: string, input: Json, tables: Tables): readonly RequestConsumption[] {
  switch (operation) {
    case 'PutItem':
      return [written(input, input.Item, 1, tables)];
    case 'UpdateItem':
    case 'DeleteItem':
      return [written(input, input.Key, 1, tables)];
    case 'GetItem':
      return [read(input.TableName, keyOf(input, input.Key, tables), isConsistent(input), tables)];
    case 'Query':
    case 'Scan':
      return [asked(input, tables)];
    case 'BatchGetItem':
      return Object.entries(object(input.RequestItems)).flatMap(([name, entry]) =>
        list(object(entry).Keys).map((key) =>
          read(name, keyOf({ TableName: name }, key, tables), isConsistent(object(entry)), tables),
        ),
      );
    case 'TransactGetItems':
      return list(input.TransactItems).map((item) => {
        const get = object(object(item).Get);
        return read(get.TableName, keyOf(get, get.Key, tables), 2, tables);
      });
    case 'TransactWriteItems':
      return list(input.TransactItems).map((item) => {
        const member = object(Object.values(object(item))[0]);
        return written(member, member.Item ?? member.Key, 2, tables);
      });
    default:
      return [];
  }
}

/** Units of a response by its size, beyond the first unit, which was counted with the request. */
export function readUnits(bytes: number, perUnit: number): number {
  return Math.max(0, Math.ceil(bytes / readUnitBytes) - 1) * perUnit;
}

function isConsistent({ ConsistentRead }: Json): number {
  return ConsistentRead === true ? 1 : 0.5;
}

function written(input: Json, item: unknown, times: number, tables: Tables): RequestConsumption {
  const table = tableOf(input.TableName, tables);
  const attributes = object(item);
  const bytes = sizeOf(item) + sizeOf(input.ExpressionAttributeValues);
  const units = times * Math.max(1, Math.ceil(bytes / writeUnitBytes));
  const consumed: Consumption[] = [];
  for (const [index, attribute] of table.partitionKeys) {
    // An index contains an item that has the index's keys. Its projection is small, so it counts one unit.
    const partition = scalar(attributes[attribute]);
    if (index !== '' && partition === undefined) continue;
    consumed.push({ kind: 'write', index, partition: partition ?? '', units: index === '' ? units : 1 });
  }
  return { table, consumed };
}

function keyOf(input: Json, key: unknown, tables: Tables): string {
  const attribute = tableOf(input.TableName, tables).partitionKeys.get('') ?? '';
  return scalar(object(key)[attribute]) ?? '';
}

function read(name: unknown, partition: string, units: number, tables: Tables): RequestConsumption {
  return { table: tableOf(name, tables), consumed: [{ kind: 'read', index: '', partition, units }] };
}

/** Units of a Query or Scan. The first compared value identifies the partition, whatever its name. */
function asked(input: Json, tables: Tables): RequestConsumption {
  const index = typeof input.IndexName === 'string' ? input.IndexName : '';
  const [, value = ''] = /=\s*(:\w+)/.exec(String(input.KeyConditionExpression ?? '')) ?? [];
  const partition = scalar(object(input.ExpressionAttributeValues)[value]) ?? '';
  const units = isConsistent(input);
  return { table: tableOf(input.TableName, tables), consumed: [{ kind: 'read', index, partition, units }] };
}

const nowhere: TableDeclaration = { name: '', arn: '', partitionKeys: new Map(), properties: {} };

function tableOf(name: unknown, tables: Tables): TableDeclaration {
  return tables.get(String(name)) ?? nowhere;
}

/** Approximate bytes of names and values: a text counts its characters, brackets and quotes count nothing. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let bytes = 0;
  // `for…in` is safe, because parsed JSON has no inherited members; a list of entries for each item would double the cost.
  for (const name in value) bytes += name.length + sizeOf((value as Json)[name]);
  return bytes;
}

function scalar(value: unknown): string | undefined {
  const { S, N, B } = object(value);
  return [S, N, B].find((given) => typeof given === 'string') as string | undefined;
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
