/**
 * Ports of `Patient/$member-match`. Called by single and bulk matches, and by the requests on matched members; the adapters read Patients
 * by identifier, and write grants of payers and audit events.
 */

import type { PatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import type { DataOperation } from '../../catalog/fhir/fhir-routes.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { SearchIssue } from '../../fhir/query/search-issue.ts';
import type { RateVerdict } from '../../platform/kernel/rates.ts';
import type { ConsentPolicy } from './judge-consent.ts';
import type { PermissionEnds } from './payer-permission.ts';

/** A Patient that a submitted identifier names. */
export interface CandidatePatient {
  readonly patientId: string;
  /** The Patient as stored. */
  readonly json: string;
  /** The submitted identifiers that name the Patient. */
  readonly identifiers: readonly string[];
  /** Permissions of payers that have ended. */
  readonly ends: PermissionEnds;
}

export interface MatchStore {
  /**
   * Verified identifiers of an application's organization, as they are now; undefined where the application is not active in the LOB.
   *
   * @throws StoreUnavailable
   */
  organization(clientId: string): Promise<readonly OrganizationIdentifier[] | undefined>;
  /**
   * The Patients that member identifiers name, each once. It takes the same reads whatever is found.
   *
   * @throws StoreUnavailable
   */
  patients(identifiers: readonly string[]): Promise<readonly CandidatePatient[]>;
  /**
   * Writes the grant by which the payer reads the member, with its audit event. A repeat of the same request writes the same grant.
   *
   * @returns false where the grant of this Consent was ended, or the payer's permission since it was read: nothing is written.
   * @throws StoreUnavailable
   */
  saveMatch(match: MemberMatch): Promise<boolean>;
  /**
   * Records a refused attempt.
   *
   * @param outcome of a member of a job, written in the same transaction.
   * @throws StoreUnavailable
   */
  recordRefusal(attempt: MatchAttempt, reason: string, outcome?: MemberRefusal): Promise<void>;
  /**
   * Outcomes recorded so far for the members of a part of a bulk match, by the member's position in the whole request.
   *
   * @throws StoreUnavailable
   */
  outcomes(jobId: string, part: number): Promise<ReadonlyMap<number, MemberOutcome>>;
  /**
   * Records that a resource about no single member is sent.
   *
   * @throws StoreUnavailable
   */
  recordDisclosure(attempt: MatchAttempt, resource: string): Promise<void>;
}

/** Refusal of a submitted member, as its payer is told. */
export type MemberRefusal =
  /** No single member. */
  | { readonly kind: 'unmatched' }
  /** One member, who has ended the payer's permission. */
  | { readonly kind: 'constrained' }
  | RequestFaults
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

/** Faults of the request itself: no member was looked up. */
export interface RequestFaults {
  readonly kind: 'faulty';
  /** Whether the Consent alone is at fault. */
  readonly isConstrained: boolean;
  readonly issues: readonly SearchIssue[];
}

/** The outcome of a member of a job, as the ledger keeps it. */
export type MemberOutcome =
  | { readonly kind: 'matched'; readonly patientId: string; readonly grantId: string }
  | MemberRefusal;

/** Requests of payers beside `Patient/$member-match`, as the audit names them. */
export type PayerAction =
  | Extract<DataOperation, `${PatientAccessType}.${string}`>
  | 'Group.bulk-member-match'
  | 'Group.davinci-data-export'
  | 'Group.export'
  | 'Group.read'
  | 'job.status'
  | 'job.cancel'
  | 'job.file';

/** An attempt to match a member, as the audit has it. */
export interface MatchAttempt {
  /** @default Patient.member-match */
  readonly action?: PayerAction;
  readonly clientId: string;
  readonly requestId: string;
  readonly clientRequestId?: string;
  /** The member of a job that the attempt is about: its outcome is written with the audit event, so that a repeat finds it. */
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

export interface MemberMatch extends MatchAttempt {
  readonly patientId: string;
  /** The same for each repeat of a Consent by an application. */
  readonly grantId: string;
  /** SMART scopes that the payer reads with, `patient/…`. */
  readonly scope: string;
  readonly policy: ConsentPolicy;
  /** The Consent, serialized. */
  readonly consent: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Verified identifiers of the payer's organization, kept with the grant: its end is one of this payer's permission. */
  readonly organization: readonly OrganizationIdentifier[];
  /** The ends that the permission was judged by. */
  readonly ends: PermissionEnds;
}

/** The scopes of a system as those of one patient: what the payer may read of this member. */
export function patientScope(scope: string): string {
  return scope
    .split(' ')
    .filter((each) => each.startsWith('system/') && !each.startsWith('system/Group.'))
    .map((each) => each.replace('system/', 'patient/'))
    .join(' ');
}

/** Limits against guessing of members. */
export interface MatchLimits {
  /**
   * Counts an attempt as failed before it is made, by application and by each identifier.
   *
   * @throws StoreUnavailable
   */
  begin(clientId: string, identifiers: readonly string[]): Promise<RateVerdict>;
  /**
   * The attempt matched: it was no failure. The failures of the identifiers that matched are forgotten; of the others the attempt alone is taken
   * back, so that a match of one member clears no guesses at another.
   *
   * @throws StoreUnavailable
   */
  succeeded(clientId: string, matched: readonly string[], others: readonly string[]): Promise<void>;
}
