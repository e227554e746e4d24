import type { Item, Table } from './table.ts';

/**
 * Reads every item of a partition, or those whose sort keys begin with a prefix.
 *
 * @throws RangeError if they are more than `mostPages` of 1 MB.
 */
export async function queryAll(
  table: Table,
  pk: string,
  skBeginsWith?: string,
  mostPages = Number.POSITIVE_INFINITY,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    if (pages === mostPages)
      throw new RangeError(`more than ${mostPages} pages of a partition: ${skBeginsWith}`);
    pages += 1;
    const page = await table.query({
      pk,
      ...(skBeginsWith !== undefined && { skBeginsWith }),
      ...(after !== undefined && { after }),
    });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}
