/** Reads the entries of a record in steps, and writes its labels, for withdrawals and merges. */

import * as z from 'zod/mini';
import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { createRecordLabeling, type ValuedPut } from '../../fhir/store/label-writes.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { patientEntryPrefix, patientLabelsKey, patientPartition } from '../../platform/table/table-keys.ts';
import type { ChangeOrigin } from '../rows/load-store-port.ts';

/** The record that a row changes, and the row. */
export interface ChangedRecord extends ChangeOrigin {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
}

/** A resource of a record, by its search entry. */
export interface RecordEntry {
  readonly name: ResourceName;
  readonly versionId: string;
  readonly lastUpdated: string;
}

export const entryItem = z.object({ sk: z.string(), versionId: z.string(), lastUpdated: z.string() });

/** Most resources in one step of a withdrawal or merge. Each takes up to three writes of a transaction, and is read and written whole. */
const entriesInStep = 20;

/** The next entries of a record, and whether they are the last. */
export async function someEntries(
  table: Table,
  { lob, patientId }: ChangedRecord,
): Promise<{ readonly entries: readonly RecordEntry[]; readonly isRest: boolean }> {
  // Reads one entry more than a step takes, to see whether a further step follows.
  const { items, next } = await table.query({
    pk: patientPartition(lob, patientId),
    skBeginsWith: patientEntryPrefix(),
    limit: entriesInStep + 1,
  });
  const entries = items.slice(0, entriesInStep).map((item) => {
    const { sk, versionId, lastUpdated } = entryItem.parse(item);
    const [, resourceType = '', id = ''] = sk.split('#');
    return { name: { resourceType, id }, versionId, lastUpdated };
  });
  return { entries, isRest: next === undefined && items.length <= entriesInStep };
}

/** The writes that label a resource, with those of the resources that inherit its label. */
export async function labelsOf(
  table: Table,
  { lob, patientId }: ChangedRecord,
  put: ValuedPut,
): Promise<readonly Write[]> {
  const [labels] = await createRecordLabeling(table, lob).plan([{ patientId, puts: [put] }]);
  return labels === undefined ? [] : [...labels.others, ...labels.with(put.resource)];
}

/**
 * Removes the record's labels, in the transaction of its last resource. Removed later, they would stay if the load were interrupted,
 * because a repeat finds an empty record and does nothing.
 */
export function labelsRemoval({ lob, patientId }: ChangedRecord): Write {
  return { delete: patientLabelsKey(lob, patientId) };
}

/** Whether an ISO 8601 time is after another. */
export function isAfter(one: string, other: string): boolean {
  return Date.parse(one) > Date.parse(other);
}
