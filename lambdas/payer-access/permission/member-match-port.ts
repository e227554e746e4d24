/**
 * Ports of `Patient/$member-match`. Called by single and bulk matches, and by requests on matched members. The adapters read Patients by
 * identifier, and write payers' grants and audit events.
 */

import type { PatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import type { DataOperation } from '../../catalog/fhir/fhir-routes.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { SearchIssue } from '../../fhir/query/search-issue.ts';
import type { RateVerdict } from '../../platform/kernel/rates.ts';
import type { ConsentPolicy } from './judge-consent.ts';
import type { PermissionEnds } from './payer-permission.ts';

/** A Patient found by a submitted identifier. */
export interface CandidatePatient {
  readonly patientId: string;
  /** The stored Patient, serialized. */
  readonly json: string;
  /** The submitted identifiers that are the Patient's. */
  readonly identifiers: readonly string[];
  /** Times at which the member ended payers' permissions. */
  readonly ends: PermissionEnds;
}

export interface MatchStore {
  /**
   * Current verified identifiers of an application's organization; undefined if the application is not active in the LOB.
   *
   * @throws StoreUnavailable
   */
  organization(clientId: string): Promise<readonly OrganizationIdentifier[] | undefined>;
  /**
   * The Patients with these member identifiers, each once. The number of reads doesn't depend on what is found.
   *
   * @throws StoreUnavailable
   */
  patients(identifiers: readonly string[]): Promise<readonly CandidatePatient[]>;
  /**
   * Writes the grant by which the payer reads the member's data, with its audit event. A repeated request writes the same grant.
   *
   * @returns false, and writes nothing, if the grant of this Consent was ended, or the member ended the payer's permission since it was
   * read.
   * @throws StoreUnavailable
   */
  saveMatch(match: MemberMatch): Promise<boolean>;
  /**
   * Records a refused call.
   *
   * @param outcome of a job's member, written in the same transaction.
   * @throws StoreUnavailable
   */
  recordRefusal(call: PayerCall, reason: string, outcome?: MemberRefusal): Promise<void>;
  /**
   * The recorded outcomes of a part of a bulk match, by the member's position in the whole request.
   *
   * @throws StoreUnavailable
   */
  outcomes(jobId: string, part: number): Promise<ReadonlyMap<number, MemberOutcome>>;
  /**
   * Records the disclosure of a resource that is not about a single member.
   *
   * @throws StoreUnavailable
   */
  recordDisclosure(call: PayerCall, resource: string): Promise<void>;
}

/** The refusal of a submitted member. */
export type MemberRefusal =
  /** None or several members match. */
  | { readonly kind: 'unmatched' }
  /** One member matches, but has ended the payer's permission. */
  | { readonly kind: 'constrained' }
  | RequestFaults
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

/** Faults in the request itself; no member was looked up. */
export interface RequestFaults {
  readonly kind: 'faulty';
  /** Whether only the Consent has faults. */
  readonly isConstrained: boolean;
  readonly issues: readonly SearchIssue[];
}

/** The outcome of a job's member, as the ledger stores it. */
export type MemberOutcome =
  | { readonly kind: 'matched'; readonly patientId: string; readonly grantId: string }
  | MemberRefusal;

/** Actions of payers in the audit, beside `Patient.member-match`. */
export type PayerAction =
  | Extract<DataOperation, `${PatientAccessType}.${string}`>
  | 'Group.bulk-member-match'
  | 'Group.davinci-data-export'
  | 'Group.export'
  | 'Group.read'
  | 'job.status'
  | 'job.cancel'
  | 'job.file';

/** A payer's call of the API, as the audit records it. */
export interface PayerCall {
  /** @default Patient.member-match */
  readonly action?: PayerAction;
  readonly clientId: string;
  readonly requestId: string;
  readonly clientRequestId?: string;
  /** The job's member that the call is about. The outcome is written with the audit event, so that a repeated part finds it. */
  readonly member?: JobMember;
}

/** Position of a member in the request of a job. */
export interface JobMember {
  readonly jobId: string;
  readonly part: number;
  readonly at: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export interface MemberMatch extends PayerCall {
  readonly patientId: string;
  /** The same for each repeat of the same Consent by an application. */
  readonly grantId: string;
  /** SMART scopes of the grant, `patient/…`. */
  readonly scope: string;
  readonly policy: ConsentPolicy;
  /** The Consent, serialized. */
  readonly consent: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Verified identifiers of the payer's organization, stored with the grant: ending the grant ends this payer's permission. */
  readonly organization: readonly OrganizationIdentifier[];
  /** The ended permissions that were known when this permission was judged. */
  readonly ends: PermissionEnds;
}

/** Converts `system/…` scopes to the `patient/…` scopes of a grant, without those for Group. */
export function patientScope(scope: string): string {
  return scope
    .split(' ')
    .filter((each) => each.startsWith('system/') && !each.startsWith('system/Group.'))
    .map((each) => each.replace('system/', 'patient/'))
    .join(' ');
}

/** Limits that keep a payer from guessing members. */
export interface MatchLimits {
  /**
   * Counts an attempt as failed before it is made, for the application and for each identifier.
   *
   * @throws StoreUnavailable
   */
  begin(clientId: string, identifiers: readonly string[]): Promise<RateVerdict>;
  /**
   * Corrects the count of an attempt that found its member, because `begin` counted it as failed. The member identifiers that matched get a
   * count of zero. Those of the request that did not match are only reduced by this attempt, so that finding one member clears no guesses
   * at another.
   *
   * @throws StoreUnavailable
   */
  succeeded(clientId: string, matched: readonly string[], others: readonly string[]): Promise<void>;
}
