/** Pace of the writes to one partition of the table. */

import { partitionOf } from '../../platform/table/dynamodb-table.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { writeBytes } from './resource-writes.ts';

/**
 * Write units a second that one partition key is sent. DynamoDB takes 1,000; the rest is for calls that come closer together than they were sent, and for
 * whoever else writes there.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const unitsASecond = 800;

/** A transaction takes two units for each started kilobyte of an item. */
const transactionUnits = (write: Write) => 2 * Math.max(1, Math.ceil(writeBytes([write]) / 1_024));

interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * The table, with transactions that wait until the partitions they write to have room, instead of being throttled there: all of a member's resources are one
 * partition.
 */
export function pacedByPartition(table: Table, { now, sleep }: Clock): Table {
  /** Time at which all that was sent to a partition is paid by its rate. */
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
        // A second's units may be used at once.
        waitMs = Math.max(waitMs, paid - sentAt - 1_000);
      }
      if (waitMs > 0) await sleep(waitMs);
      await table.transact(writes, token);
    },
  };
}
