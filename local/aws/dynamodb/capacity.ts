/** Local DynamoDB: the on-demand capacity of a table or an index, and of its partitions. */

import { quota } from '../../limits/quotas.ts';

/** Units that a part of a request consumes: of one kind, at a table or an index, in one partition. */
export interface Consumption {
  readonly kind: 'read' | 'write';
  /** Name of the index; `''` for the table itself. */
  readonly index: string;
  readonly partition: string;
  readonly units: number;
}

/** Initial capacity of a table by its template (`WarmThroughput`), in units a second. */
export interface WarmThroughput {
  readonly read: number;
  readonly write: number;
}

/** The exhausted scope, which DynamoDB throttles: the whole table or index, or one partition. */
export type Throttled = 'table' | 'partition';

/** Counts the units that calls of a table consume. */
export interface TableCapacity {
  /**
   * Takes the units of a call. Like DynamoDB, it admits a call if any unit is left in the second; the excess is subtracted from later
   * seconds.
   *
   * @returns the exhausted scope, if nothing was taken.
   */
  take(consumption: Consumption, now: number): Throttled | undefined;
  /** Subtracts units that a call turned out to consume in addition to those taken before it. */
  owe(consumption: Consumption, now: number): void;
}

const first = { read: quota('tableReads'), write: quota('tableWrites') };
const most = { read: quota('tableMostReads'), write: quota('tableMostWrites') };
const ofPartition = { read: quota('partitionReads'), write: quota('partitionWrites') };

/**
 * Most partitions whose capacity is kept in memory. A partition that is dropped was idle for more than a second, so it has its full
 * capacity again.
 */
const rememberedPartitions = 10_000;

/** Units left of a rate: at most those of one second; negative if later seconds must make up for an excess. */
interface Allowance {
  left: number;
  at: number;
}

function refill(allowance: Allowance, rate: number, now: number): void {
  const seconds = Math.max(0, now - allowance.at) / 1_000;
  allowance.left = Math.min(rate, allowance.left + seconds * rate);
  allowance.at = now;
}

interface Growing extends Allowance {
  rate: number;
  /** Units taken in the second that began at `since`. */
  taken: number;
  since: number;
  /** Most units in any second of this period. */
  peak: number;
  periodSince: number;
}

/**
 * The capacity of one table with its indexes. A new table takes 4,000 writes and 12,000 reads a second, or its warm throughput. After each
 * period it takes twice the units of the busiest second, up to the account's quota for a table. A partition takes 1,000 writes and 3,000
 * reads. DynamoDB often has unused capacity of the last minutes in addition, which nobody may rely on ("burst capacity"); it is left out
 * here.
 *
 * @param warm of the table (`''`) and its indexes.
 */
export function tableCapacity(warm: ReadonlyMap<string, WarmThroughput>, growthMs: number): TableCapacity {
  const whole = new Map<string, Growing>();
  const partitions = new Map<string, Allowance>();

  function growing({ kind, index }: Consumption, now: number): Growing {
    const name = `${kind} ${index}`;
    const known = whole.get(name);
    if (known !== undefined) return known;
    const rate = Math.max(first[kind], warm.get(index)?.[kind] ?? 0);
    const made = { left: rate, at: now, rate, taken: 0, since: now, peak: 0, periodSince: now };
    whole.set(name, made);
    return made;
  }

  function grow(capacity: Growing, kind: Consumption['kind'], now: number): void {
    if (now - capacity.since >= 1_000 || now < capacity.since) {
      // A pause has ended: the call counts for the second that begins now.
      capacity.peak = Math.max(capacity.peak, capacity.taken);
      [capacity.taken, capacity.since] = [0, now];
    }
    if (now < capacity.periodSince) capacity.periodSince = now;
    if (now - capacity.periodSince < growthMs) return;
    capacity.rate = Math.max(capacity.rate, Math.min(most[kind], 2 * capacity.peak));
    [capacity.peak, capacity.periodSince] = [0, now];
  }

  function partitionOf({ kind, index, partition }: Consumption, now: number): Allowance {
    const name = `${kind} ${index} ${partition}`;
    const known = partitions.get(name);
    if (known !== undefined) return known;
    if (partitions.size >= rememberedPartitions) forgetIdle(now);
    const made = { left: ofPartition[kind], at: now };
    partitions.set(name, made);
    return made;
  }

  function forgetIdle(now: number): void {
    for (const [name, { left, at }] of partitions) {
      if (now - at > 1_000 && left > 0) partitions.delete(name);
    }
  }

  return {
    take(consumption, now) {
      const { kind, units } = consumption;
      const table = growing(consumption, now);
      const partition = partitionOf(consumption, now);
      grow(table, kind, now);
      refill(table, table.rate, now);
      refill(partition, ofPartition[kind], now);
      if (table.left <= 0) return 'table';
      if (partition.left <= 0) return 'partition';
      table.left -= units;
      table.taken += units;
      partition.left -= units;
      return undefined;
    },
    owe(consumption, now) {
      const table = growing(consumption, now);
      table.left -= consumption.units;
      table.taken += consumption.units;
      partitionOf(consumption, now).left -= consumption.units;
    },
  };
}
