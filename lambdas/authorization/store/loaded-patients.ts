/** Patients that were loaded: each has its load's event in its partition of the audit. */

import type { Table } from '../../platform/table/table.ts';
import { patientAuditPartition } from '../../platform/table/table-keys.ts';
import type { IsLoaded } from '../aws/find-patient.ts';

/** Looks for one event of the patient; nothing of the member's data is read. */
export function createIsLoaded(table: Pick<Table, 'query'>): IsLoaded {
  return async (lob, patientId) => {
    const { items } = await table.query({ pk: patientAuditPartition(lob, patientId), limit: 1 });
    return items.length > 0;
  };
}
