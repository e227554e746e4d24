/** Writes audit events to DynamoDB, in the transaction of what they record. */

import { eventDigest } from '../../audit/event-digest.ts';
import { sealWindow } from '../../audit/windows.ts';
import type { AuditAction, AuditOutcome } from '../../catalog/audit-actions.ts';
import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import type { DisclosureRecorder } from '../../fhir/disclosure-recorder-port.ts';
import { digests } from '../../runtime/digests.ts';
import type { Table, Write } from '../../table/table.ts';
import { auditKey } from '../table-keys.ts';

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
  readonly lob: TokenIssuer;
  readonly action: AuditAction;
  /** `disclosed`: data left the service. `permitted`, `succeeded`: any other yes. `refused`: no. */
  readonly outcome: AuditOutcome;
  /** A stable code: `grant_revoked`. */
  readonly reason?: string;
  /** The actor: a client id, a member's `sub`, `member` before the sign-in, `operator`, or the function that acts by itself. */
  readonly actor: string;
  /** The operator's account in the portal, of an act by the console. */
  readonly operatorId?: string;
  readonly clientId?: string;
  readonly grantId?: string;
  /** Makes the event part of the patient's record; without it, it is the client's, or the service's. */
  readonly patientId?: string;
  /** The plan's identifier of the actor, where the actor is the patient's personal representative. */
  readonly representativeId?: string;
  /** Issuer of the plan's identity provider, where a sign-in is at one. */
  readonly identityProvider?: string;
  /** The part of the service it is about, if it is about no person and no client: `signing-keys`. */
  readonly service?: string;
  /** Id of an earlier event of the same subject that said more than was given. */
  readonly corrects?: string;
  /** Joins the event to the request's log line. Of a request, API Gateway's; no caller chooses it. */
  readonly requestId: string;
  /** The client's `X-Request-Id`: it joins the event to the client's own log, and proves nothing. */
  readonly clientRequestId?: string;
  /** `<type>/<id>` of the resource; of a search the type alone. */
  readonly resource?: string;
  /** `<type>/<id>`: of a search each resource in its answer, of a load each it took back. */
  readonly resources?: readonly string[];
}

/**
 * The event as a write, to stand in the transaction of what it records. Its condition refuses to replace an event.
 *
 * @throws TypeError for an event that is about nothing: neither a patient nor a client nor a service of ours.
 */
export function auditWrite(event: AuditEvent): Write {
  return { put: auditItem(event), condition: { expression: 'attribute_not_exists(pk)' } };
}

/**
 * Makes one event durable. A repeat of it after a lost answer writes the same event again; another event in its place is
 * refused.
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

/** The port of the FHIR reads: makes each disclosure a full event of the LOB's patient. */
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

/** Builds the item of an event with its sealing attributes: its window, and its own digest, which the sealing function reads instead of it. */
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
