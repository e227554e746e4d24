import type { Environment } from '../catalog/environments.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { TokenAuthority } from '../catalog/token-authority.ts';
import type { AuditTrail } from '../fhir/ports.ts';
import { auditKey } from './keys.ts';
import type { Table, Write } from './table.ts';

/**
 * One thing that happened to somebody's data or access. No event holds PHI, a token, a key or a secret: ids and codes
 * only. Kept 10 years, never changed.
 */
export interface AuditEvent {
  /** Unique; together with `time` it makes the event's key. A UUID. */
  readonly eventId: string;
  /** ISO 8601 with milliseconds. */
  readonly time: string;
  readonly environment: Environment;
  readonly lob: TokenAuthority;
  /** What was done or asked: `Patient.read`, `consent`, `client.suspend`. */
  readonly action: string;
  /** `disclosed`: data left the service. `permitted`, `succeeded`: any other yes. `refused`: no. */
  readonly outcome: 'disclosed' | 'permitted' | 'succeeded' | 'refused';
  /** A stable code: `grant_revoked`. */
  readonly reason?: string;
  /** Who acted: `client:<client id>`, `member:<sub>`, `operator:<name>`. */
  readonly actor: string;
  readonly clientId?: string;
  readonly grantId?: string;
  /** Makes the event part of the patient's record; without it, it is the client's. */
  readonly patientId?: string;
  /** Id of an earlier event of the same subject that said more than was given. */
  readonly corrects?: string;
  /** Joins the event to the request's log line; the caller may have chosen it, so it proves nothing. */
  readonly requestId: string;
  /** `<type>/<id>` of the resource. */
  readonly resource?: string;
}

/**
 * The event as a write, to stand in the transaction of what it records. Its condition refuses to replace an event.
 *
 * @throws TypeError for an event that is about nobody: neither a patient nor a client.
 */
export function auditWrite(event: AuditEvent): Write {
  return { put: auditItem(event), condition: { expression: 'attribute_not_exists(pk)' } };
}

/**
 * Makes one event durable. The key is unique by its event id, so the put needs no condition, and a repeat of it after a
 * lost answer writes the same event again.
 *
 * @throws StoreUnavailable
 */
export async function putAuditEvent(table: Table, event: AuditEvent): Promise<void> {
  await table.put(auditItem(event));
}

/** The port of the FHIR reads: makes each disclosure a full event of the LOB's patient. */
export function createAuditTrail(options: {
  readonly table: Table;
  readonly lob: LineOfBusiness;
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
}): AuditTrail {
  const { table, lob, environment, now, uuid } = options;
  return {
    async record(disclosure) {
      const eventId = uuid();
      await putAuditEvent(table, {
        ...disclosure,
        eventId,
        action: 'Patient.read',
        actor: `client:${disclosure.clientId}`,
        lob,
        environment,
        time: new Date(now()).toISOString(),
      });
      return eventId;
    },
  };
}

function auditItem(event: AuditEvent) {
  const { eventId, patientId, clientId, ...rest } = event;
  const subject = patientId !== undefined ? { patientId } : clientId !== undefined ? { clientId } : undefined;
  if (subject === undefined) throw new TypeError('an audit event needs a patient or a client');
  return { ...auditKey(event.lob, subject, event.time, eventId), ...rest, patientId, clientId };
}
