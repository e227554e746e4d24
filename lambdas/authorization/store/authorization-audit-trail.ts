import { putAuditEvent } from '../../audit/store/audit-events-contract.ts';
import type { Table } from '../../platform/table/table.ts';
import type { AuditTrail } from '../oauth/audit-decision.ts';

/** Records audit events of decisions that write nothing else. The event of a change is part of the change's transaction instead. */
export function createAuthorizationAuditTrail(table: Table): AuditTrail {
  return { record: async (event) => await putAuditEvent(table, event) };
}
