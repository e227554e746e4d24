import { keyText, type RecoveryTable, type StoredItem } from '../../ops/recovery/carry-forward.ts';

/** A table's items at one moment, in memory: the local system's stand-in for a table that was restored to a second. */
export function memoryTable(items: readonly StoredItem[]): RecoveryTable & { all(): readonly StoredItem[] } {
  const kept = new Map(items.map((item) => [keyText(item), item]));
  return {
    all: () => [...kept.values()],
    async *pages() {
      yield [...kept.values()];
    },
    find: async (keys) => keys.flatMap((key) => kept.get(keyText(key)) ?? []),
    async put(written) {
      for (const item of written) kept.set(keyText(item), item);
    },
    async remove(keys) {
      for (const key of keys) kept.delete(keyText(key));
    },
  };
}

/** All items of a table. */
export async function itemsOf(table: RecoveryTable): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const page of table.pages(false)) items.push(...page);
  return items;
}
