/**
 * Port that records disclosures in the audit before data leaves. Called by every read and search; the adapter in
 * `audit/store/audit-events-contract.ts` adds audit events and can't read or change one.
 */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { DataOperation } from '../../catalog/fhir/fhir-routes.ts';

/** The members of an audit event that the caller knows; the adapter adds time, environment and event ID. */
export interface Disclosure
  extends Pick<
    AuditEvent,
    'reason' | 'corrects' | 'requestId' | 'clientRequestId' | 'resource' | 'resources'
  > {
  readonly action: DataOperation;
  /** `disclosed` is written before the data is sent, `refused` when no data is sent. */
  readonly outcome: 'disclosed' | 'refused';
  readonly clientId: string;
  readonly grantId: string;
  readonly patientId: string;
}

export interface DisclosureRecorder {
  /**
   * Records a disclosure and returns when the event is durable.
   *
   * @returns the event's ID.
   * @throws if the event can't be stored: then nothing may be disclosed.
   */
  record(disclosure: Disclosure): Promise<string>;
}
