import type { PatientRecords } from '../../audit/audit-ports.ts';
import type { Table } from '../../table/table.ts';
import { patientAuditPartition } from '../table-keys.ts';

/** A patient's partition of the audit, in the order of time. */
export function createPatientRecords(table: Table): PatientRecords {
  return {
    async about(lob, patientId, after, limit) {
      const page = await table.query({ pk: patientAuditPartition(lob, patientId), after, limit });
      return { events: page.items, ...(page.next !== undefined && { next: page.next }) };
    },
  };
}
