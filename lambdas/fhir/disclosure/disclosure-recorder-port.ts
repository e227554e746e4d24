/**
 * Port that records disclosures in the audit before data leaves. Called by every read and search; the adapter in
 * `audit/store/audit-events-contract.ts` adds audit events and can't read or change one.
 */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { DataOperation } from '../../catalog/fhir/fhir-routes.ts';

/** The part of an audit event that a read knows; the adapter adds time, environment and an event id. */
export interface Disclosure
  extends Pick<
    AuditEvent,
    'reason' | 'corrects' | 'requestId' | 'clientRequestId' | 'resource' | 'resources'
  > {
  readonly action: DataOperation;
  /** `disclosed` is written before the data goes out, `refused` where it does not. */
  readonly outcome: 'disclosed' | 'refused';
  readonly clientId: string;
  readonly grantId: string;
  readonly patientId: string;
}

export interface DisclosureRecorder {
  /**
   * Returns when the event is durable.
   *
   * @returns the event's id.
   * @throws where it can't be made so: then nothing may be disclosed.
   */
  record(disclosure: Disclosure): Promise<string>;
}
