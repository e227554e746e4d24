/** Resources of the Provider Directory, read whole by builds. `loads` writes them. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { decodeResource } from '../../fhir/store/stored-resource.ts';
import type { ItemPage, Table } from '../../platform/table/table.ts';
import { directoryPartition, directoryParts } from '../../platform/table/table-keys.ts';

/**
 * The texts of every resource of a type, for a build. The partitions are read side by side, a page of each ahead, and come in turn: the
 * order is the same for the same content.
 */
export async function* directoryTexts(
  table: Table,
  lob: LineOfBusiness,
  resourceType: string,
): AsyncGenerator<string> {
  const page = (part: number, after?: string): Promise<ItemPage> => {
    const asked = table.query({
      pk: directoryPartition(lob, resourceType, part),
      ...(after !== undefined && { after }),
    });
    // Whoever waits for it hears of its failure; until then it must not end the process.
    asked.catch(() => {});
    return asked;
  };
  let ahead = Array.from({ length: directoryParts }, (_, part) => ({ part, page: page(part) }));
  while (ahead.length > 0) {
    const following: typeof ahead = [];
    for (const { part, page: asked } of ahead) {
      const { items, next } = await asked;
      if (next !== undefined) following.push({ part, page: page(part, next) });
      for (const item of items) {
        if (item.isWithdrawn !== true) yield decodeResource(item).json;
      }
    }
    ahead = following;
  }
}
