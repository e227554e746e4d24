/** Makes the audit events of the authorization server. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { RepresentedBy } from './member-account.ts';

/** The fields that all audit events of one request share. */
export type AuditContext = Pick<AuditEvent, 'environment' | 'lob' | 'requestId' | 'clientRequestId'>;

/** The fields of an audit event that are about the decision. */
export type AuditDecision = Omit<AuditEvent, keyof AuditContext | 'eventId' | 'time'> & {
  readonly clientId: string;
};

/** The patient of an event, and the personal representative who acts on the patient's behalf. */
export function aboutPatient({
  patientId,
  representative,
}: {
  readonly patientId: string;
  readonly representative?: RepresentedBy | undefined;
}): Pick<AuditEvent, 'patientId' | 'representativeId'> {
  if (representative === undefined) return { patientId };
  return { patientId, representativeId: representative.representativeId };
}

/** The patient and the representative of a code or a refresh token, for an event whose actor is the application. */
export function aboutSubject({
  patientId,
  representedBy,
}: {
  readonly patientId: string;
  readonly representedBy?: RepresentedBy | undefined;
}): ReturnType<typeof aboutPatient> {
  return aboutPatient({ patientId, representative: representedBy });
}

export function auditEvent(
  context: AuditContext,
  decision: AuditDecision,
  nowMs: number,
  eventId: string,
): AuditEvent {
  return { ...context, ...decision, eventId, time: new Date(nowMs).toISOString() };
}

/** Records audit events. Adapter: `lambdas/authorization/store/authorization-audit-trail.ts`. */
export interface AuditTrail {
  record(event: AuditEvent): Promise<void>;
}
