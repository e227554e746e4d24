/** Stores the records of builds of the Provider Directory. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import type { Table } from '../../platform/table/table.ts';
import { directoryBuildKey, directoryBuildPartition } from '../../platform/table/table-keys.ts';
import { buildStates, type DirectoryBuild } from '../build/directory-operations-contract.ts';
import type { DirectoryBuilds } from '../build/publish-directory.ts';

const buildItem = z.object({
  lob: z.enum(lineOfBusinessCodes),
  id: z.string(),
  startedAt: z.string(),
  state: z.enum(buildStates),
  endedAt: z.optional(z.string()),
  reasons: z.optional(z.array(z.object({ code: z.string(), message: z.string() }))),
  resources: z.optional(z.record(z.string(), z.number())),
  bytes: z.optional(z.number()),
});

/** Seconds for which the record of a build is kept. */
const keptSeconds = 400 * 86_400;

/** The records of builds of the Provider Directory; each LOB's builds have partitions of their own. */
export function createDirectoryBuilds(table: Table): DirectoryBuilds {
  const itemOf = (build: DirectoryBuild) => ({
    ...directoryBuildKey(build.lob, build.startedAt, build.id),
    ...build,
    ttl: Math.floor(Date.parse(build.startedAt) / 1000) + keptSeconds,
  });
  return {
    async begin(build) {
      await table.put(itemOf(build));
    },
    async end(build) {
      const condition = {
        expression: '#state = :running',
        names: { '#state': 'state' },
        values: { ':running': 'running' },
      };
      await conditionHolds(table, [{ put: itemOf(build), condition }]);
    },
    async list(lob, most) {
      const { items } = await table.query({
        pk: directoryBuildPartition(lob),
        descending: true,
        limit: most,
      });
      return items.map((item): DirectoryBuild => buildItem.parse(item));
    },
  };
}
