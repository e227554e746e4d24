/** Audit events as operators' questions answer them. */

import { type AuditOutcome, auditOutcomes } from '../../catalog/audit/audit-actions.ts';
import type { StoredEvent } from './event-digest.ts';
import type { RecordedEvent } from './questions-contract.ts';

/** Parses a stored event, without attributes of the wrong type. */
export function asRecorded(event: StoredEvent): RecordedEvent {
  const text = (name: string) => (typeof event[name] === 'string' ? event[name] : undefined);
  const optional = (name: string) => {
    const value = text(name);
    return value === undefined ? {} : { [name]: value };
  };
  const sk = text('sk') ?? '';
  const { resources } = event;
  return {
    eventId: sk.slice(sk.indexOf('#') + 1),
    time: text('time') ?? sk.slice(0, sk.indexOf('#')),
    action: text('action') ?? '',
    outcome: outcomeOf(text('outcome')),
    actor: text('actor') ?? '',
    ...optional('reason'),
    ...optional('operatorId'),
    ...optional('clientId'),
    ...optional('patientId'),
    ...optional('resource'),
    ...(Array.isArray(resources) && { resources: resources.filter((name) => typeof name === 'string') }),
    ...optional('requestId'),
    ...optional('clientRequestId'),
    ...optional('corrects'),
  };
}

/** The outcome of an event. An unknown one counts as `disclosed`, the most serious, because the event may have been tampered with. */
function outcomeOf(text: string | undefined): AuditOutcome {
  return auditOutcomes.find((outcome) => outcome === text) ?? 'disclosed';
}
