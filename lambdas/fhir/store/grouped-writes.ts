/** Writes independent items in as few transactions as DynamoDB permits. */
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { transactionLimits, writeBytes } from './resource-writes.ts';

interface PlacedWrite {
  readonly at: number;
  readonly write: Write;
}

/**
 * Writes each item whose condition holds. If a condition fails, its transaction is repeated item by item, so that the other items are still
 * written.
 *
 * @returns for each of `writes`, in order, whether it was written.
 */
export async function writeInGroups(table: Table, writes: readonly Write[]): Promise<readonly boolean[]> {
  const written = writes.map(() => true);
  await Promise.all(
    groupsOf(writes).map(async (group) => {
      const together = group.map(({ write }) => write);
      if (await conditionHolds(table, together)) return;
      for (const { at, write } of group) written[at] = await conditionHolds(table, [write]);
    }),
  );
  return written;
}

function groupsOf(writes: readonly Write[]): readonly (readonly PlacedWrite[])[] {
  const groups: PlacedWrite[][] = [];
  let bytes = 0;
  for (const [at, write] of writes.entries()) {
    const size = writeBytes([write]);
    const current = groups.at(-1);
    const isFull =
      current !== undefined &&
      (current.length >= transactionLimits.items || bytes + size > transactionLimits.bytes);
    if (current === undefined || isFull) {
      groups.push([{ at, write }]);
      bytes = size;
    } else {
      current.push({ at, write });
      bytes += size;
    }
  }
  return groups;
}
