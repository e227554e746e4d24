/** Stores the resources of the Provider Directory: written by loads, read whole by builds. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { DirectoryMark, DirectoryPut, DirectoryStore } from '../../loads/directory-store-port.ts';
import type { Key } from '../../table/key.ts';
import type { ItemPage, Table, Write } from '../../table/table.ts';
import { writeInGroups } from '../loads/grouped-writes.ts';
import { areStorable } from '../resources/resource-writes.ts';
import { decodeResource, encodeResource } from '../resources/stored-resource.ts';
import { directoryPartition, directoryResourceKey } from '../table-keys.ts';

/** Partitions of a type. A build reads them side by side. */
const parts = 8;
const keysInRead = 100;

const markItem = z.object({
  versionId: z.string(),
  lastUpdated: z.string(),
  content: z.string(),
  row: z.optional(z.string()),
  isWithdrawn: z._default(z.boolean(), false),
});

/** The directory of each LOB, for loads. */
export function createDirectoryStore(table: Table): DirectoryStore {
  return {
    async marks(lob, names) {
      const pages = Array.from({ length: Math.ceil(names.length / keysInRead) }, (_, at) =>
        table.batchGet(names.slice(at * keysInRead, (at + 1) * keysInRead).map((name) => keyOf(lob, name))),
      );
      const items = (await Promise.all(pages)).flat();
      return items.map((item): DirectoryMark | undefined => item && markItem.parse(item));
    },

    fits: (put) => areStorable([writeOf('DSNP', put)]),

    write: (lob, puts) =>
      writeInGroups(
        table,
        puts.map((put) => writeOf(lob, put)),
      ),
  };
}

function writeOf(lob: LineOfBusiness, put: DirectoryPut): Write {
  const { versionId, lastUpdated, content, row, isWithdrawn, json, resourceType, replaces } = put;
  const text = isWithdrawn ? { isWithdrawn } : encodeResource({ json, resourceType });
  return {
    put: { ...keyOf(lob, put), versionId, lastUpdated, content, row, ...text },
    condition:
      replaces === undefined
        ? { expression: 'attribute_not_exists(pk)' }
        : { expression: 'content = :replaced', values: { ':replaced': replaces } },
  };
}

function keyOf(lob: LineOfBusiness, { resourceType, id }: ResourceName): Key {
  return directoryResourceKey(lob, resourceType, partOf(id), id);
}

function partOf(id: string): number {
  return (createHash('sha256').update(id).digest()[0] ?? 0) % parts;
}

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
  let ahead = Array.from({ length: parts }, (_, part) => ({ part, page: page(part) }));
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
