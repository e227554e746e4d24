import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import { type AuditDecision, auditEvent } from '../oauth/audit-decision.ts';
import type { ActivationRequest } from './activation-contract.ts';
import type { ActivationServices } from './activation-services.ts';

/** Makes the audit event of a decision on an activation. If no member matched, the event is about the client alone. */
export function activationEvent(
  { environment, now, random }: Pick<ActivationServices, 'environment' | 'now' | 'random'>,
  { lob, clientId, request }: Pick<ActivationRequest, 'lob' | 'clientId' | 'request'>,
  outcome: 'succeeded' | 'refused',
  reason: string,
  who: { readonly sub?: string; readonly patientId?: string } = {},
): AuditEvent {
  const { sub = 'member', patientId } = who;
  const decision: AuditDecision = {
    action: 'account.activate',
    outcome,
    reason,
    actor: sub,
    clientId,
    ...(patientId !== undefined && { patientId }),
  };
  const { requestId, clientRequestId } = request;
  const context = { environment, lob, requestId, ...(clientRequestId !== undefined && { clientRequestId }) };
  return auditEvent(context, decision, now(), random.uuid());
}
