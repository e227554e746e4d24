/** Conditional writes to the table: put if absent, all or none. */

import type { Key } from './key.ts';
import { ConditionFailed, type Table, type Write } from './table.ts';

/** The write that puts an item if no item has its key. */
export function putIfAbsent(put: Key & Readonly<Record<string, unknown>>): Write {
  return { put, condition: { expression: 'attribute_not_exists(pk)' } };
}

/**
 * Carries out all writes or none.
 *
 * @returns positions of the writes whose conditions failed; empty if everything was written
 */
export async function failedConditions(table: Table, writes: readonly Write[]): Promise<readonly number[]> {
  try {
    await table.transact(writes);
    return [];
  } catch (error) {
    if (error instanceof ConditionFailed) return error.failed;
    throw error;
  }
}

/**
 * Carries out all writes or none.
 *
 * @returns whether every condition held, and so everything was written.
 */
export async function conditionHolds(table: Table, writes: readonly Write[]): Promise<boolean> {
  return (await failedConditions(table, writes)).length === 0;
}
