/** Stores resources of the Provider Directory for loads. Directory builds in `provider-directory` read them. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { writeInGroups } from '../../fhir/store/grouped-writes.ts';
import { areStorable } from '../../fhir/store/resource-writes.ts';
import { encodeResource } from '../../fhir/store/stored-resource.ts';
import type { Key } from '../../platform/table/key.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { directoryResourceKey, directoryShards } from '../../platform/table/table-keys.ts';
import type { DirectoryMark, DirectoryPut, DirectoryStore } from '../rows/directory-store-port.ts';

const keysInRead = 100;

const markItem = z.object({
  versionId: z.string(),
  lastUpdated: z.string(),
  content: z.string(),
  row: z.optional(z.string()),
  isWithdrawn: z._default(z.boolean(), false),
});

/** Makes the directory store of all LOBs, for loads. */
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
  return directoryResourceKey(lob, resourceType, shardOf(id), id);
}

function shardOf(id: string): number {
  return (createHash('sha256').update(id).digest()[0] ?? 0) % directoryShards;
}
