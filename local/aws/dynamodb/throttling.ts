/** Local DynamoDB: throttles calls that exceed the capacity of a table, an index or a partition. */

import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import type { ServiceLimits } from '../../limits/limits.ts';
import { AwsError } from '../protocol/aws-error.ts';
import {
  type Consumption,
  type TableCapacity,
  type Throttled,
  tableCapacity,
  type WarmThroughput,
} from './capacity.ts';
import { consumptionOf, type RequestConsumption, readUnits } from './consumption.ts';
import type { TableDeclaration } from './tables.ts';

type Json = Readonly<Record<string, unknown>>;

/** An admitted call, to be forwarded whole or in part. */
export interface Passage {
  /** The smaller request, if only a part of a batch is read. */
  readonly input?: Json;
  /** Keys of a batch that were not read (`UnprocessedKeys`). */
  readonly unprocessed?: Json;
  /**
   * Counts the units that a read consumed.
   *
   * @param bytes size of the response.
   */
  readonly answered: (bytes: number) => void;
}

/**
 * Admits a call.
 *
 * @throws AwsError if the call is throttled, in DynamoDB's words.
 */
export type Throttle = (operation: string, input: Json) => Passage;

/** Milliseconds for which consumed units are added up, because a load makes thousands of calls a second. */
const publishedEveryMs = 1_000;

/**
 * Throttles calls by the capacity of each table, and publishes throttles and consumed units to CloudWatch; those of an index count for the
 * index only.
 */
export function dynamoDbThrottle(
  tables: ReadonlyMap<string, TableDeclaration>,
  { tableGrowthMs }: ServiceLimits,
  now: () => number,
  publish: PublishMetric = () => {},
): Throttle {
  const capacities = new Map<TableDeclaration, TableCapacity>();
  function capacityOf(table: TableDeclaration): TableCapacity {
    const known = capacities.get(table);
    if (known !== undefined) return known;
    const made = tableCapacity(warmThroughputOf(table), tableGrowthMs);
    capacities.set(table, made);
    return made;
  }

  const consumed = new Map<string, { readonly of: Parameters<PublishMetric>; units: number }>();
  let publishedAt = now();
  /** Counts consumed units, which are published with the first call of a later second. */
  function count({ name }: TableDeclaration, { kind, index, units }: Consumption): void {
    const metric = kind === 'read' ? 'ConsumedReadCapacityUnits' : 'ConsumedWriteCapacityUnits';
    const key = `${name} ${metric} ${index}`;
    const known = consumed.get(key) ?? {
      of: ['AWS/DynamoDB', metric, { TableName: name, ...dimensionOf(index) }, 0],
      units: 0,
    };
    known.units += units;
    consumed.set(key, known);
    if (now() - publishedAt < publishedEveryMs) return;
    publishedAt = now();
    for (const { of, units: all } of consumed.values()) publish(of[0], of[1], of[2], all);
    consumed.clear();
  }

  /**
   * Takes the units of a part.
   *
   * @returns the first exhausted scope. Units taken before it stay taken, because DynamoDB also counts throttled calls in part.
   */
  function take({ table, consumed }: RequestConsumption): Throttled | undefined {
    const capacity = capacityOf(table);
    for (const each of consumed) {
      const inTheWay = capacity.take(each, now());
      if (inTheWay === undefined) {
        count(table, each);
        continue;
      }
      const metric = each.kind === 'read' ? 'ReadThrottleEvents' : 'WriteThrottleEvents';
      publish('AWS/DynamoDB', metric, { TableName: table.name, ...dimensionOf(each.index) }, 1);
      return inTheWay;
    }
    return undefined;
  }

  return (operation, input) => {
    const parts = consumptionOf(operation, input, tables);
    const answered = (bytes: number) => {
      const [first] = parts;
      const [read] = first?.consumed ?? [];
      if (first === undefined || read?.kind !== 'read') return;
      const units = readUnits(bytes / parts.length, read.units) * parts.length;
      if (units <= 0) return;
      capacityOf(first.table).owe({ ...read, units }, now());
      count(first.table, { ...read, units });
    };
    const verdicts = parts.map(take);
    const inTheWay = verdicts.find((verdict) => verdict !== undefined);
    if (inTheWay === undefined) return { answered };
    if (operation.startsWith('Transact')) throw cancelled(verdicts);
    if (operation !== 'BatchGetItem' || verdicts.every((verdict) => verdict !== undefined)) {
      throw new AwsError('ThrottlingException', messages[inTheWay]);
    }
    return { ...partOf(input, verdicts), answered };
  };
}

function dimensionOf(index: string): Readonly<Record<string, string>> {
  return index === '' ? {} : { GlobalSecondaryIndexName: index };
}

const messages: Readonly<Record<Throttled, string>> = {
  table:
    'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly.',
  partition: 'Throughput exceeds the current capacity of one partition of your table or index.',
};

/** The error for a transaction, which one throttled item cancels as a whole (TransactWriteItems, "TransactionCanceledException"). */
function cancelled(verdicts: readonly (Throttled | undefined)[]): AwsError {
  const reasons = verdicts.map((verdict) =>
    verdict === undefined ? { Code: 'None' } : { Code: 'ThrottlingError', Message: messages[verdict] },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new AwsError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    400,
    { CancellationReasons: reasons },
  );
}

/** Divides a batch into the request for keys with capacity, and the unprocessed keys. */
function partOf(
  input: Json,
  verdicts: readonly (Throttled | undefined)[],
): Pick<Passage, 'input' | 'unprocessed'> {
  let at = 0;
  const read: Record<string, Json> = {};
  const unprocessed: Record<string, Json> = {};
  for (const [name, entry] of Object.entries((input.RequestItems ?? {}) as Record<string, Json>)) {
    const keys = entry.Keys as readonly unknown[];
    const groups = Map.groupBy(keys, () => verdicts[at++] === undefined);
    const [passed, left] = [groups.get(true), groups.get(false)];
    if (passed !== undefined) read[name] = { ...entry, Keys: passed };
    if (left !== undefined) unprocessed[name] = { ...entry, Keys: left };
  }
  return { input: { ...input, RequestItems: read }, unprocessed };
}

interface Warm {
  readonly ReadUnitsPerSecond?: unknown;
  readonly WriteUnitsPerSecond?: unknown;
}

/** `WarmThroughput` in a table's template, for the table (`''`) and its indexes. */
function warmThroughputOf({ properties }: TableDeclaration): ReadonlyMap<string, WarmThroughput> {
  const indexes = (properties.GlobalSecondaryIndexes ?? []) as readonly {
    readonly IndexName: string;
    readonly WarmThroughput?: Warm;
  }[];
  const all = [{ IndexName: '', WarmThroughput: properties.WarmThroughput as Warm | undefined }, ...indexes];
  return new Map(
    all.map(({ IndexName, WarmThroughput: warm }) => [
      IndexName,
      { read: Number(warm?.ReadUnitsPerSecond ?? 0), write: Number(warm?.WriteUnitsPerSecond ?? 0) },
    ]),
  );
}
