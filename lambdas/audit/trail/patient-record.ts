/** Reads a patient's audit record for an operator's question. */

import { type AuditOutcome, auditOutcomes } from '../../catalog/audit/audit-actions.ts';
import type { PatientRecords } from './audit-ports.ts';
import type { StoredEvent } from './event-digest.ts';
import type { PatientRecordAnswer, PatientRecordRequest, RecordedEvent } from './questions-contract.ts';

const eventsInPage = 200;

/**
 * Reads a page of a patient's events, whether sealed yet or not.
 *
 * @throws the port's errors.
 */
export async function patientRecord(
  records: PatientRecords,
  { lob, patientId, from, until, after }: PatientRecordRequest,
): Promise<PatientRecordAnswer> {
  // Sort keys are `<time>#<event id>`, so the bare time sorts before every event of that time.
  const page = await records.about(lob, patientId, after ?? from, eventsInPage);
  const events = page.events.map(asRecorded);
  const inside = events.filter(({ time }) => time < until);
  const more = page.next !== undefined && inside.length === events.length;
  return { events: inside, ...(more && page.next !== undefined && { next: page.next }) };
}

/** Parses a stored event, without attributes of the wrong type. */
function asRecorded(event: StoredEvent): RecordedEvent {
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
    ...optional('clientId'),
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
