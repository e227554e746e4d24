/** Limits the rate of writes to one partition of the table. */

import { partitionOf } from '../../platform/table/dynamodb-table.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { writeBytes } from './resource-writes.ts';

/**
 * Most write units a second to one partition key. DynamoDB allows 1,000; the rest is a reserve for calls that arrive closer together than
 * they were sent, and for other writers.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const unitsASecond = 800;

/** A transaction takes two write units for each started kilobyte of an item. */
const transactionUnits = (write: Write) => 2 * Math.max(1, Math.ceil(writeBytes([write]) / 1_024));

interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * A table whose transactions wait until their partitions have capacity, instead of being throttled: all resources of a member are in one
 * partition.
 */
export function pacedByPartition(table: Table, { now, sleep }: Clock): Table {
  /** For each partition, the time at which the rate limit covers all writes sent so far; milliseconds since 1970. */
  const paidAt = new Map<string, number>();

  return {
    ...table,
    async transact(writes, token) {
      const sentAt = now();
      for (const [pk, at] of paidAt) if (at <= sentAt) paidAt.delete(pk);
      let waitMs = 0;
      for (const [pk, toOne] of Map.groupBy(writes, partitionOf)) {
        const units = toOne.reduce((sum, write) => sum + transactionUnits(write), 0);
        const paid = Math.max(sentAt, paidAt.get(pk) ?? sentAt) + (1_000 * units) / unitsASecond;
        paidAt.set(pk, paid);
        // The units of one second may be used at once.
        waitMs = Math.max(waitMs, paid - sentAt - 1_000);
      }
      if (waitMs > 0) await sleep(waitMs);
      await table.transact(writes, token);
    },
  };
}
