import { putAuditEvent } from '../../audit/store/audit-events-contract.ts';
import type { Table } from '../../platform/table/table.ts';
import type { AuditTrail } from '../oauth/audit-decision.ts';

/** Records decisions that change nothing else. A decision with a change has its event in the change's transaction. */
export function createAuthorizationAuditTrail(table: Table): AuditTrail {
  return { record: async (event) => await putAuditEvent(table, event) };
}
