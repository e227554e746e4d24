/** Stores the list of patients that a payer's application matched. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { inGroupsOf } from '../../platform/kernel/in-groups-of.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Table } from '../../platform/table/table.ts';
import { matchedPatientsPartition, patientResourceKey } from '../../platform/table/table-keys.ts';
import type { MatchedPatients } from '../release/matched-patients-port.ts';

const matchedItem = z.object({ patientId: z.string(), matchedAt: z.string(), ttl: z.number() });

/** Most keys of one `BatchGetItem`. */
const keysInRead = 100;
const readsAtOnce = 4;

export function createMatchedPatients(table: Table, lob: LineOfBusiness, now: Clock): MatchedPatients {
  return {
    async ofApplication(clientId) {
      const items = await queryAll(table, matchedPatientsPartition(lob, clientId));
      return items
        .map((item) => matchedItem.parse(item))
        .filter(({ ttl }) => ttl > now() / 1000)
        .sort((a, b) => b.matchedAt.localeCompare(a.matchedAt))
        .map(({ patientId }) => patientId);
    },

    async holding(patientIds, resourceType, ids) {
      const asked = patientIds.flatMap((patientId) => ids.map((id) => ({ patientId, id })));
      const pages = Array.from({ length: Math.ceil(asked.length / keysInRead) }, (_, at) =>
        asked.slice(at * keysInRead, (at + 1) * keysInRead),
      );
      const found = await inGroupsOf(readsAtOnce, pages, async (page) => {
        const keys = page.map(({ patientId, id }) => patientResourceKey(lob, patientId, resourceType, id));
        const items = await table.batchGet(keys);
        return page.filter((_, at) => items[at] !== undefined).map(({ patientId }) => patientId);
      });
      return [...new Set(found.flat())];
    },
  };
}
