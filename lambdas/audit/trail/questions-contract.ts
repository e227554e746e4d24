/** Requests and responses of operators' questions about the audit trail (`ops audit`), which the function `audit-verify` answers. */

import * as z from 'zod/mini';
import type { AuditOutcome } from '../../catalog/audit/audit-actions.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { SealPosition } from './sealed-parts.ts';
import { sealPosition } from './verification-contract.ts';

/** Instant with milliseconds, as in an event's `time`: the two compare as texts. `until` is exclusive. */
const moment = z.iso.datetime({ precision: 3 });

/** Everything that is on record about one patient between two moments, a page at a time. */
export const patientRecordRequest = z.strictObject({
  question: z.literal('patient-record'),
  lob: z.enum(lineOfBusinessCodes),
  patientId: z.string().check(z.minLength(1), z.maxLength(64)),
  from: moment,
  until: moment,
  /** `next` of the page before. */
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
  /** `<type>/<id>`; of a search the type alone. */
  readonly resource?: string;
  /** Resources in a search's answer, `<type>/<id>` each. */
  readonly resources?: readonly string[];
  readonly requestId?: string;
  readonly clientRequestId?: string;
  /** Id of an earlier event that said more than was given. */
  readonly corrects?: string;
}

export interface PatientRecordAnswer {
  /** Oldest first. */
  readonly events: readonly RecordedEvent[];
  readonly next?: string;
}

/** Members whose data went to each application between two moments, by the sealed trail, a page of seals at a time. */
export const accessUsageRequest = z.strictObject({
  question: z.literal('access-usage'),
  lob: z.enum(lineOfBusinessCodes),
  from: moment,
  until: moment,
  /** `next` of the page before. */
  position: z.optional(z.strictObject(sealPosition)),
});
export type AccessUsageRequest = z.infer<typeof accessUsageRequest>;

export interface AccessUsage {
  /** SHA-256 of the patient's id, hex: enough to count members by, and no more. */
  readonly member: string;
  readonly clientId: string;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  /** Number of disclosures; one that was corrected later doesn't count. */
  readonly disclosures: number;
}

export interface AccessUsageAnswer {
  readonly usage: readonly AccessUsage[];
  /** Up to where the trail is sealed, and so counted, ISO 8601; absent where nothing is. */
  readonly until?: string;
  readonly next?: SealPosition;
}
