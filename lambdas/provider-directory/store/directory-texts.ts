/** Reads the resources of the Provider Directory for builds. `loads` writes them. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { decodeResource } from '../../fhir/store/stored-resource.ts';
import type { ItemPage, Table } from '../../platform/table/table.ts';
import { directoryPartition, directoryShards } from '../../platform/table/table-keys.ts';

/**
 * Streams all serialized resources of a type, for a build. One page of each partition is read ahead, and the partitions take turns, so that
 * the same content always has the same order.
 */
export async function* directoryTexts(
  table: Table,
  lob: LineOfBusiness,
  resourceType: string,
): AsyncGenerator<string> {
  const page = (shard: number, after?: string): Promise<ItemPage> => {
    const asked = table.query({
      pk: directoryPartition(lob, resourceType, shard),
      ...(after !== undefined && { after }),
    });
    // Prevents an unhandled rejection; awaiting the promise later rethrows the error.
    asked.catch(() => {});
    return asked;
  };
  let ahead = Array.from({ length: directoryShards }, (_, shard) => ({ shard, page: page(shard) }));
  while (ahead.length > 0) {
    const following: typeof ahead = [];
    for (const { shard, page: asked } of ahead) {
      const { items, next } = await asked;
      if (next !== undefined) following.push({ shard, page: page(shard, next) });
      for (const item of items) {
        if (item.isWithdrawn !== true) yield decodeResource(item).json;
      }
    }
    ahead = following;
  }
}
