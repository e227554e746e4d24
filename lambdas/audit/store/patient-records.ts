import type { Table } from '../../platform/table/table.ts';
import { patientAuditPartition } from '../../platform/table/table-keys.ts';
import type { PatientRecords } from '../trail/audit-ports.ts';

/** Reads a patient's audit events in the order of time. */
export function createPatientRecords(table: Table): PatientRecords {
  return {
    async about(lob, patientId, after, limit) {
      const page = await table.query({ pk: patientAuditPartition(lob, patientId), after, limit });
      return { events: page.items, ...(page.next !== undefined && { next: page.next }) };
    },
  };
}
