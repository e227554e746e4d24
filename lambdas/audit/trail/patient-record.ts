/** Reads a patient's audit record for an operator's question. */

import type { PatientRecords } from './audit-ports.ts';
import type { PatientRecordAnswer, PatientRecordRequest } from './questions-contract.ts';
import { asRecorded } from './recorded-event.ts';

const eventsInPage = 200;

/**
 * Reads a page of a patient's events, whether sealed yet or not.
 *
 * @throws the port's errors.
 */
export async function patientRecord(
  records: PatientRecords,
  { lob, patientId, from, until, after }: Omit<PatientRecordRequest, 'askedBy' | 'purpose'>,
): Promise<PatientRecordAnswer> {
  // Sort keys are `<time>#<event id>`, so the bare time sorts before every event of that time.
  const page = await records.about(lob, patientId, after ?? from, eventsInPage);
  const events = page.events.map(asRecorded);
  const inside = events.filter(({ time }) => time < until);
  const more = page.next !== undefined && inside.length === events.length;
  return { events: inside, ...(more && page.next !== undefined && { next: page.next }) };
}
