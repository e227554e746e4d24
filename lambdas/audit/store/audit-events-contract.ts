/** Writes audit events to DynamoDB, each in the transaction of the change that it records. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { DisclosureRecorder } from '../../fhir/disclosure/disclosure-recorder-port.ts';
import { digests } from '../../platform/runtime/digests.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { auditKey } from '../../platform/table/table-keys.ts';
import { eventDigest } from '../trail/event-digest.ts';
import { sealWindow } from '../trail/windows.ts';

/**
 * The write of an audit event, for the transaction of the change that it records. It never replaces an event.
 *
 * @throws TypeError for an event about neither a patient nor a client nor a service.
 */
export function auditWrite(event: AuditEvent): Write {
  return { put: auditItem(event), condition: { expression: 'attribute_not_exists(pk)' } };
}

/**
 * Stores one event. It may be repeated after a lost response; a different event with the same key is refused.
 *
 * @throws StoreUnavailable
 */
export async function putAuditEvent(table: Table, event: AuditEvent): Promise<void> {
  const item = auditItem(event);
  await table.put(item, {
    expression: 'attribute_not_exists(pk) OR #digest = :digest',
    names: { '#digest': 'digest' },
    values: { ':digest': item.digest },
  });
}

/** Creates the port by which FHIR functions record disclosures, each as an audit event of the LOB's patient. */
export function createDisclosureRecorder(options: {
  readonly table: Table;
  readonly lob: LineOfBusiness;
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
}): DisclosureRecorder {
  const { table, lob, environment, now, uuid } = options;
  return {
    async record(disclosure) {
      const eventId = uuid();
      await putAuditEvent(table, {
        ...disclosure,
        eventId,
        actor: disclosure.clientId,
        lob,
        environment,
        time: new Date(now()).toISOString(),
      });
      return eventId;
    },
  };
}

/** Builds the item of an event with two attributes for sealing: its window, and its own digest, which is sealed. */
function auditItem(event: AuditEvent) {
  const { eventId, ...rest } = event;
  const key = auditKey(event.lob, subjectOf(event), event.time, eventId);
  const item = { ...key, ...rest, sealWindow: sealWindow(event.lob, event.time, eventId) };
  return { ...item, digest: eventDigest(item, digests.sha256Hex) };
}

function subjectOf({ patientId, clientId, service }: AuditEvent) {
  if (patientId !== undefined) return { patientId };
  if (clientId !== undefined) return { clientId };
  if (service !== undefined) return { service };
  throw new TypeError('an audit event needs a patient, a client or a service');
}
