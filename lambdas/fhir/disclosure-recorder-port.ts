/** Port that records disclosures in the audit before data leaves. */

import type { DataOperation } from '../catalog/fhir/fhir-routes.ts';

/** The part of an audit event that a read knows; the adapter adds time, environment and an event id. */
export interface Disclosure {
  readonly action: DataOperation;
  /** `disclosed` is written before the data goes out, `refused` where it does not. */
  readonly outcome: 'disclosed' | 'refused';
  readonly reason?: string;
  /** Id of an earlier event that said more than was given: this one puts it right. */
  readonly corrects?: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly patientId: string;
  readonly requestId: string;
  /** The client's `X-Request-Id`: it joins the event to the client's own log, and proves nothing. */
  readonly clientRequestId?: string;
  /** `Coverage/<id>` of a read, absent where the URL's id is no FHIR id; the type alone of a search: `Coverage`. */
  readonly resource?: string;
  /** Resources in a search's answer, included ones too: `ExplanationOfBenefit/<id>`. Empty if nothing was found. */
  readonly resources?: readonly string[];
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
