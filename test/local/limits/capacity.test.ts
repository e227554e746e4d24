import { describe, expect, it } from 'vitest';
import { type Consumption, tableCapacity } from '../../../local/aws/dynamodb/capacity.ts';

const write = (units: number, partition: string, index = ''): Consumption => ({
  kind: 'write',
  index,
  partition,
  units,
});
const growthMs = 30_000;
const fresh = (warm: Parameters<typeof tableCapacity>[0] = new Map()) => tableCapacity(warm, growthMs);

/** Number of one-unit writes to different partitions that a table admits at one moment. */
function taken(table: ReturnType<typeof tableCapacity>, now: number, tries = 50_000): number {
  for (let at = 0; at < tries; at += 1) {
    if (table.take(write(1, `${now}.${at % 1_000}`), now) !== undefined) return at;
  }
  return tries;
}

describe('the capacity of a table on demand', () => {
  it('is 4,000 writes in the first second and in the next', () => {
    const table = fresh();
    expect(taken(table, 0)).toBe(4_000);
    expect(taken(table, 500)).toBe(2_000);
    expect(taken(table, 20_000)).toBe(4_000);
  });

  it('becomes twice the busiest second after a period, and 40,000 at most', () => {
    const table = fresh();
    const rates = [0, 1, 2, 3, 4, 5, 6].map((period) => {
      const at = period * 40_000;
      taken(table, at);
      const second = taken(table, at + 1_000);
      // A write in the next second, since consumption counts once its second is over.
      taken(table, at + 2_000);
      return second;
    });
    expect(rates).toEqual([4_000, 8_000, 16_000, 32_000, 40_000, 40_000, 40_000]);
  });

  it('is its warm throughput where the template has more', () => {
    expect(taken(fresh(new Map([['', { read: 0, write: 20_000 }]])), 0)).toBe(20_000);
    expect(taken(fresh(new Map([['', { read: 0, write: 1_000 }]])), 0)).toBe(4_000);
  });

  it('of an index is its own', () => {
    const table = fresh();
    taken(table, 0);
    expect(table.take(write(1, 'a', 'audit-window'), 0)).toBeUndefined();
  });

  it('lets a partition have 1,000 writes and 3,000 reads, and the others theirs', () => {
    const table = fresh();
    for (let at = 0; at < 1_000; at += 1) expect(table.take(write(1, 'hot'), 0)).toBeUndefined();
    expect(table.take(write(1, 'hot'), 0)).toBe('partition');
    expect(table.take(write(1, 'cold'), 0)).toBeUndefined();
    expect(table.take({ kind: 'read', index: '', partition: 'hot', units: 3_000 }, 0)).toBeUndefined();
    expect(table.take({ kind: 'read', index: '', partition: 'hot', units: 1 }, 0)).toBe('partition');
    expect(table.take(write(1, 'hot'), 1_000)).toBeUndefined();
  });

  it('has later seconds pay for a call that took too much', () => {
    const table = fresh();
    expect(table.take(write(900, 'a'), 0)).toBeUndefined();
    table.owe(write(1_100, 'a'), 0);
    expect(table.take(write(1, 'a'), 500)).toBe('partition');
    expect(table.take(write(1, 'a'), 1_500)).toBeUndefined();
  });

  it('does not stand still when the clock is set back', () => {
    const table = fresh();
    taken(table, 100_000);
    expect(taken(table, 5_000)).toBe(0);
    expect(taken(table, 6_000)).toBe(4_000);
  });
});
