import * as z from 'zod/mini';
import type { Table } from '../../platform/table/table.ts';
import { archivedKey } from '../../platform/table/table-keys.ts';
import type { ArchivePositions } from '../trail/archiving.ts';

const stored = z.object({ sequence: z.int() });

/** Stores the number of each issuer's last seal that is in the archive. */
export function createArchivePositions(table: Table): ArchivePositions {
  return {
    async last(issuer) {
      const item = await table.get(archivedKey(issuer));
      return item === undefined ? 0 : stored.parse(item).sequence;
    },
    async save(issuer, sequence) {
      await table.put({ ...archivedKey(issuer), sequence });
    },
  };
}
