import { putAuditEvent } from '../../audit/store/audit-events-contract.ts';
import type { Table } from '../../platform/table/table.ts';
import type { AuditTrail } from '../oauth/audit-event.ts';

/** Decisions that change nothing else; those that do carry their event in their own transaction. */
export function createAuthorizationAuditTrail(table: Table): AuditTrail {
  return { record: async (event) => await putAuditEvent(table, event) };
}
