import type { Key } from './keys.ts';
import { ConditionFailed, type Item, type Table, type Write } from './table.ts';

/** What is new: nothing lies there yet. */
export function created(put: Item & Key): Write {
  return { put, condition: { expression: 'attribute_not_exists(pk)' } };
}

/** Carries out all or nothing. @returns the positions of the writes whose conditions failed; none where all was written. */
export async function failedOf(table: Table, writes: readonly Write[]): Promise<readonly number[]> {
  try {
    await table.transact(writes);
    return [];
  } catch (error) {
    if (error instanceof ConditionFailed) return error.failed;
    throw error;
  }
}

/** Whether every condition held, and so everything was written. */
export async function holds(table: Table, writes: readonly Write[]): Promise<boolean> {
  return (await failedOf(table, writes)).length === 0;
}

/** Every item under a partition's prefix. */
export async function queryAll(table: Table, pk: string, skBeginsWith: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const page = await table.query({ pk, skBeginsWith, ...(after === undefined ? {} : { after }) });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}
