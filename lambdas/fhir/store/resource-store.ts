/** Reads FHIR resources of a patient from DynamoDB. */

import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import { mayBeSensitive } from '../../catalog/fhir/sensitive-categories.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import * as s from '../../platform/kernel/shapes.ts';
import type { Key } from '../../platform/table/key.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Item, Table } from '../../platform/table/table.ts';
import {
  grantKey,
  patientEntryKey,
  patientIndexPrefix,
  patientLabelsKey,
  patientPartition,
  patientResourceKey,
} from '../../platform/table/table-keys.ts';
import type {
  AccessGrant,
  PatientCompartment,
  SearchEntry,
  StoredResource,
} from '../values/patient-compartment.ts';
import type { SearchValues } from '../values/values.ts';
import { decodeLabels } from './record-labels.ts';
import { readIndex } from './search-index.ts';
import { decodeResource, decodeValues } from './stored-resource.ts';

/** The attributes that a read needs from each kind of item (docs/architecture.md, Items). */
const grantItem = s.object({
  clientId: s.text,
  state: s.oneOf(['pending', 'active', 'revoked']),
  expiresAt: s.finite,
});
const version = s.object({ versionId: s.text, lastUpdated: s.text });

/** Most keys of one `BatchGetItem`. */
const keysInRead = 100;

/** Most query pages (1 MB each) of one member's index. A resource takes about 200 bytes there, so that more pages mean a defect. */
const mostPages = 16;

/** Reads the patients' compartments of one LOB. */
export function createPatientCompartment(table: Table, lob: LineOfBusiness): PatientCompartment {
  return {
    async read(patientId, grantId, resourceType, id) {
      const [grant, resource, labels] = await table.batchGet([
        grantKey(lob, patientId, grantId),
        patientResourceKey(lob, patientId, resourceType, id),
        patientLabelsKey(lob, patientId),
      ]);
      return {
        grant: grantOf(grant),
        resource: resourceOf(resource, resourceType),
        labels: decodeLabels(labels),
      };
    },

    async entries(patientId, grantId, { resourceType, references }) {
      const items = (kind: 'INDEX' | 'LINKS') =>
        queryAll(table, patientPartition(lob, patientId), patientIndexPrefix(kind, resourceType), mostPages);
      const [[grant, labels], index, links] = await Promise.all([
        table.batchGet([grantKey(lob, patientId, grantId), patientLabelsKey(lob, patientId)]),
        items('INDEX'),
        references ? items('LINKS') : undefined,
      ]);
      const { entries, elsewhere } = readIndex(patientId, index, links);
      const others = elsewhere.length === 0 ? [] : await storedEntries(patientId, elsewhere);
      return { grant: grantOf(grant), entries: [...entries, ...others], labels: decodeLabels(labels) };
    },

    async resources(patientId, names) {
      const once = [...new Map(names.map((name) => [nameOf(name), name])).values()];
      const items = await readAll(
        once.map(({ resourceType, id }) => patientResourceKey(lob, patientId, resourceType, id)),
      );
      const found = new Map(
        once.map((name, at) => [nameOf(name), resourceOf(items[at], name.resourceType)] as const),
      );
      return names.map((name) => found.get(nameOf(name)));
    },
  };

  async function readAll(keys: readonly Key[]): Promise<readonly (Item | undefined)[]> {
    const count = Math.ceil(keys.length / keysInRead);
    const pages = Array.from({ length: count }, (_, at) =>
      keys.slice(at * keysInRead, (at + 1) * keysInRead),
    );
    return (await Promise.all(pages.map((page) => table.batchGet(page)))).flat();
  }

  /** Reads the entries of resources whose values are too long for the index. */
  async function storedEntries(
    patientId: string,
    names: readonly ResourceName[],
  ): Promise<readonly SearchEntry[]> {
    const items = await readAll(
      names.map(({ resourceType, id }) => patientEntryKey(lob, patientId, resourceType, id)),
    );
    return names.flatMap((name, at) => {
      const item = items[at];
      return item === undefined ? [] : [entryOf(name, item)];
    });
  }
}

function grantOf(item: Item | undefined): AccessGrant | undefined {
  return item && s.parse(grantItem, item);
}

/** Decodes a resource. One that was stored without a label counts as missing, because its sensitive categories are unknown. */
function resourceOf(item: Item | undefined, resourceType: string): StoredResource | undefined {
  if (item === undefined || (item.labeled !== true && mayBeSensitive(resourceType))) return undefined;
  return { ...decodeResource(item), ...s.parse(version, item) };
}

function entryOf({ resourceType, id }: ResourceName, item: Item): SearchEntry {
  const values = JSON.parse(decodeValues(item)) as SearchValues;
  return { resourceType, id, ...s.parse(version, item), values };
}
