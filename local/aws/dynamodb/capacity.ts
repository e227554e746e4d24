/** Local DynamoDB: the capacity of a table or an index on demand, and of its partitions. */

import { quota } from '../../limits/quotas.ts';

/** Consumption of a part of a request: units of one kind at a table or an index, in one partition. */
export interface Consumption {
  readonly kind: 'read' | 'write';
  /** Name of the index; `''` for the table itself. */
  readonly index: string;
  readonly partition: string;
  readonly units: number;
}

/** Capacity that a table has from the template on (`WarmThroughput`), in units a second. */
export interface WarmThroughput {
  readonly read: number;
  readonly write: number;
}

/** Says what DynamoDB throttles: the whole table or index, or one partition. */
export type Throttled = 'table' | 'partition';

/** Counts what a table's calls consume. */
export interface TableCapacity {
  /**
   * Takes the units of a call. Like DynamoDB, it admits a call if any unit of the second is left, and later calls wait for the excess.
   *
   * @returns the scope that is exhausted; nothing is taken then.
   */
  take(consumption: Consumption, now: number): Throttled | undefined;
  /** Takes the units that a call consumed beyond what was taken before it. */
  owe(consumption: Consumption, now: number): void;
}

const first = { read: quota('tableReads'), write: quota('tableWrites') };
const most = { read: quota('tableMostReads'), write: quota('tableMostWrites') };
const ofPartition = { read: quota('partitionReads'), write: quota('partitionWrites') };

/** Partitions that are remembered. A forgotten one was idle for longer than a second, so it is full again. */
const rememberedPartitions = 10_000;

/** The rest of a rate: at most a second of it, and below 0 what later seconds pay. */
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
  /** Most units of a second of this period. */
  peak: number;
  periodSince: number;
}

/**
 * The capacity of one table with its indexes. A new one takes 4,000 writes and 12,000 reads a second, or its warm throughput; after each period it takes
 * twice the busiest second of it, up to the account's quota for a table. A partition takes 1,000 and 3,000. DynamoDB often has unused capacity of the last minutes at hand besides: nobody
 * may count on it ("burst capacity"), so there is none here.
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
      // The first call after a pause is counted in its own second.
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
