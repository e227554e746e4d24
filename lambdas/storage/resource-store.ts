/** Reads FHIR resources of a patient from DynamoDB. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { nameOf, type ResourceName } from '../catalog/resource-name.ts';
import type {
  AccessGrant,
  PatientCompartment,
  SearchEntry,
  StoredResource,
} from '../fhir/patient-compartment.ts';
import { queryAll } from '../table/query-all.ts';
import type { Item, Table } from '../table/table.ts';
import { decodeResource, decodeValues, storedForm, storedValues } from './stored-resource.ts';
import { grantKey, patientEntryPrefix, patientPartition, patientResourceKey } from './table-keys.ts';

/** The attributes a read needs of the items (docs/architecture.md, Items). */
const grantItem = z.object({
  clientId: z.string(),
  state: z.enum(['pending', 'active', 'revoked']),
  expiresAt: z.number(),
});
const version = z.object({ versionId: z.string(), lastUpdated: z.string() });
const entryItem = z.object({
  sk: z.string(),
  versionId: z.string(),
  lastUpdated: z.string(),
});

/** Keys of one `BatchGetItem`. */
const keysInRead = 100;

/** Pages of 1 MB each, at most. A member has some 300 bytes for each resource: more are a defect. */
const mostPages = 16;

/** The patients' partitions of one LOB. */
export function createPatientCompartment(table: Table, lob: LineOfBusiness): PatientCompartment {
  return {
    async read(patientId, grantId, resourceType, id) {
      const [grant, resource] = await table.batchGet([
        grantKey(lob, patientId, grantId),
        patientResourceKey(lob, patientId, resourceType, id),
      ]);
      return { grant: grantOf(grant), resource: resourceOf(resource) };
    },

    async entries(patientId, grantId, resourceType) {
      const [grant, items] = await Promise.all([
        table.get(grantKey(lob, patientId, grantId)),
        queryAll(table, patientPartition(lob, patientId), patientEntryPrefix(resourceType), mostPages),
      ]);
      return { grant: grantOf(grant), entries: items.map(entryOf) };
    },

    async resources(patientId, names) {
      const once = [...new Map(names.map((name) => [nameOf(name), name])).values()];
      const pages = await Promise.all(
        inReads(once).map(async (page) => {
          const items = await table.batchGet(
            page.map(({ resourceType, id }) => patientResourceKey(lob, patientId, resourceType, id)),
          );
          return page.map((name, at) => [nameOf(name), resourceOf(items[at])] as const);
        }),
      );
      const found = new Map(pages.flat());
      return names.map((name) => found.get(nameOf(name)));
    },
  };
}

function inReads(names: readonly ResourceName[]): readonly (readonly ResourceName[])[] {
  const count = Math.ceil(names.length / keysInRead);
  return Array.from({ length: count }, (_, at) => names.slice(at * keysInRead, (at + 1) * keysInRead));
}

function grantOf(item: Item | undefined): AccessGrant | undefined {
  return item && grantItem.parse(item);
}

function resourceOf(item: Item | undefined): StoredResource | undefined {
  return item && { ...decodeResource(storedForm.parse(item)), ...version.parse(item) };
}

/** Type and id are the sort key's: `ENTRY#<type>#<id>`; neither has a `#`. */
function entryOf(item: Item): SearchEntry {
  const { sk, versionId, lastUpdated } = entryItem.parse(item);
  const values = decodeValues(storedValues.parse(item));
  const [, resourceType = '', id = ''] = sk.split('#');
  return { resourceType, id, versionId, lastUpdated, values };
}
