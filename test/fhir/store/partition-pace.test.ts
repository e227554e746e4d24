import { describe, expect, it } from 'vitest';
import { pacedByPartition } from '../../../lambdas/fhir/store/partition-pace.ts';
import {
  type AttributeMap,
  fromAttributeMap,
  toAttributeMap,
} from '../../../lambdas/platform/table/attribute-values.ts';
import { createDynamoDbTable } from '../../../lambdas/platform/table/dynamodb-table.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import { declaredTables } from '../../../local/aws/dynamodb/tables.ts';
import { dynamoDbThrottle } from '../../../local/aws/dynamodb/throttling.ts';
import { limitsOf } from '../../../local/limits/limits.ts';
import { assembly, table } from '../../local/aws/declarations.ts';

/** The local system's table with AWS's limits. Waits of the pace move its clock. */
function limitedTable() {
  const clock = { now: 0 };
  const limits = limitsOf('aws');
  if (limits === undefined) throw new Error('AWS has limits');
  let throttled = 0;
  const throttle = dynamoDbThrottle(
    declaredTables(assembly(table())),
    limits,
    () => clock.now,
    (_namespace, metric) => {
      if (metric === 'WriteThrottleEvents') throttled += 1;
    },
  );
  const unpaced = createDynamoDbTable({
    tableName: 'environment',
    codec: { encode: toAttributeMap, decode: (sent) => fromAttributeMap(sent as AttributeMap) },
    async send(operation, input) {
      clock.now += 10;
      try {
        throttle(operation, input as Record<string, unknown>);
      } catch {
        // The table counts the throttled call; this store does not repeat it.
      }
      return {};
    },
  });
  const waits: number[] = [];
  const paced = pacedByPartition(unpaced, {
    now: () => clock.now,
    async sleep(ms) {
      waits.push(ms);
      clock.now += ms;
    },
  });
  return { paced, unpaced, clock, waits, throttled: () => throttled };
}

const resources = (pk: string, count: number, characters: number) =>
  Array.from({ length: count }, (_, at) => ({ put: { pk, sk: `${at}`, text: 'x'.repeat(characters) } }));

async function writeMember(to: Table, transactions: number): Promise<void> {
  for (let count = 0; count < transactions; count += 1) await to.transact(resources('member', 97, 600));
}

describe('transactions of one member', () => {
  it('would be throttled by their partition', async () => {
    const { unpaced, throttled } = limitedTable();
    await writeMember(unpaced, 20);
    expect(throttled()).toBeGreaterThan(100);
  });

  it('come as fast as the partition takes them, and no faster', async () => {
    const { paced, clock, throttled } = limitedTable();
    await writeMember(paced, 20);
    expect(throttled()).toBe(0);
    // 20 writes of 194 units are 3,880 units; the partition takes the first 800 of them at once.
    expect(clock.now).toBeGreaterThan(3_500);
    expect(clock.now).toBeLessThan(4_500);
  });

  it('wait no longer than those before them need, after a pause not at all', async () => {
    const { paced, clock, waits } = limitedTable();
    await writeMember(paced, 4);
    expect(waits).toEqual([]);
    clock.now += 1_000;
    await writeMember(paced, 4);
    expect(waits).toEqual([]);
  });

  it('of other members are not waited for', async () => {
    const { paced, waits, throttled } = limitedTable();
    for (let member = 0; member < 20; member += 1)
      await paced.transact(resources(`member ${member}`, 97, 600));
    expect(waits).toEqual([]);
    expect(throttled()).toBe(0);
  });

  it('count by the kilobytes of their items', async () => {
    const { paced, throttled, waits } = limitedTable();
    for (let count = 0; count < 10; count += 1) await paced.transact(resources('member', 20, 5_000));
    expect(waits.length).toBeGreaterThan(5);
    expect(throttled()).toBe(0);
  });
});
