/** Whether a patient has been loaded, by the load's event in the patient's partition of the audit. */

import type { Table } from '../../platform/table/table.ts';
import { patientAuditPartition } from '../../platform/table/table-keys.ts';
import type { IsLoaded } from '../aws/find-patient.ts';

/** Looks for an audit event of the patient; reads none of the member's data. */
export function createIsLoaded(table: Pick<Table, 'query'>): IsLoaded {
  return async (lob, patientId) => {
    const { items } = await table.query({ pk: patientAuditPartition(lob, patientId), limit: 1 });
    return items.length > 0;
  };
}
