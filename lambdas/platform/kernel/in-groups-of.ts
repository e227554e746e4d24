/**
 * Maps items with a limited number in progress at once. Results are in the order of the items. After a failure no further item is begun.
 *
 * @throws the failure, once nothing is in progress, so that no work outlasts the invocation.
 */
export async function inGroupsOf<Item, Result>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = new Array(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      try {
        results[at] = await work(items[at] as Item);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  for (const each of workers) if (each.status === 'rejected') throw each.reason;
  return results;
}
