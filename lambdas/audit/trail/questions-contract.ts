/**
 * Requests and responses of operators' questions about the audit trail (`ops audit`): `audit-patient-record` and `audit-application-record`
 * answer one question each, `audit-verify` counts.
 */

import * as z from 'zod/mini';
import type { AuditOutcome } from '../../catalog/audit/audit-actions.ts';
import { questionPurposeNames } from '../../catalog/audit/question-purposes.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { SealPosition } from './sealed-parts.ts';
import { sealPosition } from './verification-contract.ts';

/** Instant with milliseconds, which compares as text with the `time` of events. */
const moment = z.iso.datetime({ precision: 3 });

/** Values that every question about a record has. Each page is an audit event with who asked and why. */
const recordQuestion = {
  lob: z.enum(lineOfBusinessCodes),
  from: moment,
  /** Exclusive. */
  until: moment,
  /** The operator's account in the portal, or `command-line:` and the name that the operator gave there. */
  askedBy: z.string().check(z.regex(/^[\p{L}\p{N}_.@:+ -]{1,128}$/u)),
  purpose: z.enum(questionPurposeNames),
};

/** Request for the audit record of a patient between two times, in pages. */
export const patientRecordRequest = z.strictObject({
  ...recordQuestion,
  patientId: z.string().check(z.minLength(1), z.maxLength(64)),
  /** `next` of the previous page. */
  after: z.optional(z.string()),
});
export type PatientRecordRequest = z.infer<typeof patientRecordRequest>;

/** Request for the audit record of an application between two times, in pages. Read from the archive. */
export const applicationRecordRequest = z.strictObject({
  ...recordQuestion,
  clientId: z.string().check(z.minLength(1), z.maxLength(64)),
  /** `next` of the previous page. */
  next: z.optional(
    z.strictObject({
      /** Key of the last file that was read to its end. */
      after: z.optional(z.string().check(z.maxLength(200))),
      /** Bytes of the file after it, uncompressed, that were read too. */
      offset: z.int().check(z.nonnegative()),
    }),
  ),
});
export type ApplicationRecordRequest = z.infer<typeof applicationRecordRequest>;
export type ArchivePlace = NonNullable<ApplicationRecordRequest['next']>;

export interface RecordedEvent {
  readonly eventId: string;
  /** ISO 8601. */
  readonly time: string;
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly actor: string;
  readonly reason?: string;
  /** The operator, if `actor` is `operator`: an account in the portal, or `command-line:` and a name. */
  readonly operatorId?: string;
  readonly clientId?: string;
  readonly patientId?: string;
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

export interface ApplicationRecordAnswer {
  /** Events, in the order of their seals. */
  readonly events: readonly RecordedEvent[];
  /** End of the last period that was read, ISO 8601: later events are not in the archive yet. Absent if nothing was read. */
  readonly until?: string;
  /** Numbers of the first seals that are not in the archive although later ones are. */
  readonly missing: readonly number[];
  readonly next?: ArchivePlace;
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
