import type { AuditTrail } from '../../oauth/audit-event.ts';
import type { Table } from '../../table/table.ts';
import { putAuditEvent } from './audit-store.ts';

/** Decisions that change nothing else; those that do carry their event in their own transaction. */
export function createAuthorizationAuditTrail(table: Table): AuditTrail {
  return { record: async (event) => await putAuditEvent(table, event) };
}
