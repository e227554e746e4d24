/** Conditional writes to the table: put if absent, all or nothing. */

import type { Key } from './key.ts';
import { ConditionFailed, type Table, type Write } from './table.ts';

/** Puts an item whose key nothing has yet. */
export function putIfAbsent(put: Key & Readonly<Record<string, unknown>>): Write {
  return { put, condition: { expression: 'attribute_not_exists(pk)' } };
}

/** Writes all or nothing. @returns positions of the writes whose conditions failed; none where everything was written */
export async function failedConditions(table: Table, writes: readonly Write[]): Promise<readonly number[]> {
  try {
    await table.transact(writes);
    return [];
  } catch (error) {
    if (error instanceof ConditionFailed) return error.failed;
    throw error;
  }
}

/** Whether every condition held, and so everything was written. */
export async function conditionHolds(table: Table, writes: readonly Write[]): Promise<boolean> {
  return (await failedConditions(table, writes)).length === 0;
}
