/** Requests and responses of operators' questions about the audit trail (`ops audit`), which the function `audit-verify` answers. */

import * as z from 'zod/mini';
import type { AuditOutcome } from '../../catalog/audit/audit-actions.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { SealPosition } from './sealed-parts.ts';
import { sealPosition } from './verification-contract.ts';

/** Instant with milliseconds, which compares as text with the `time` of events. */
const moment = z.iso.datetime({ precision: 3 });

/** Request for the audit record of a patient between two times, in pages. `until` is exclusive. */
export const patientRecordRequest = z.strictObject({
  question: z.literal('patient-record'),
  lob: z.enum(lineOfBusinessCodes),
  patientId: z.string().check(z.minLength(1), z.maxLength(64)),
  from: moment,
  until: moment,
  /** `next` of the previous page. */
  after: z.optional(z.string()),
});
export type PatientRecordRequest = z.infer<typeof patientRecordRequest>;

export interface RecordedEvent {
  readonly eventId: string;
  /** ISO 8601. */
  readonly time: string;
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly actor: string;
  readonly reason?: string;
  readonly clientId?: string;
  /** The requested resource, `<type>/<id>`; for a search, the type alone. */
  readonly resource?: string;
  /** Resources in a search response, each `<type>/<id>`. */
  readonly resources?: readonly string[];
  readonly requestId?: string;
  readonly clientRequestId?: string;
  /** ID of an earlier event, which recorded more disclosures than happened. */
  readonly corrects?: string;
}

export interface PatientRecordAnswer {
  /** Events, oldest first. */
  readonly events: readonly RecordedEvent[];
  readonly next?: string;
}

/** Request for the members whose data each application received between two times, counted from the sealed trail, in pages of seals. */
export const accessUsageRequest = z.strictObject({
  question: z.literal('access-usage'),
  lob: z.enum(lineOfBusinessCodes),
  from: moment,
  until: moment,
  /** `next` of the previous page. */
  position: z.optional(z.strictObject(sealPosition)),
});
export type AccessUsageRequest = z.infer<typeof accessUsageRequest>;

export interface AccessUsage {
  /** SHA-256 (hex) of the patient's ID, by which members can be counted and not identified. */
  readonly member: string;
  readonly clientId: string;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  /** Number of disclosures, without those corrected later. */
  readonly disclosures: number;
}

export interface AccessUsageAnswer {
  readonly usage: readonly AccessUsage[];
  /** End of the sealed, and so counted, period, ISO 8601; absent if nothing is sealed. */
  readonly until?: string;
  readonly next?: SealPosition;
}
