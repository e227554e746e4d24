import type { Item, Table } from './table.ts';

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
