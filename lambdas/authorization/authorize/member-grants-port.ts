/**
 * Port of a member's grants and last accesses, called by the consent page, the connected apps and operators' requests. The adapter
 * `authorization/store/member-grants.ts` reads grants and the audit events of disclosures, and ends grants, each with its audit event.
 */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { PersonalRepresentative } from '../oauth/member-account.ts';
import type { EarlierGrant } from './replaced-grants.ts';

/** Reason in the audit of a grant that the member ended on the connected-apps page. */
export const memberStopped = 'member_stopped';

/** An active grant of a member. */
export interface LiveMemberGrant {
  readonly grantId: string;
  readonly clientId: string;
  /** The account that consented. */
  readonly sub: string;
  /** The account holder, if they consented as the patient's personal representative. */
  readonly representative?: PersonalRepresentative | undefined;
  readonly scope: string;
  /** Time of the consent, seconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether it is another payer's, by a member match. @default false */
  readonly isPayers?: boolean;
}

/** A grant that can be ended. */
export interface EndableGrant extends EarlierGrant {
  /** Names of the payer, for a grant by another payer's member match. Ending the grant ends those of the payer's other applications too. */
  readonly payer?: readonly string[] | undefined;
}

/** One disclosure of the member's data, or one receipt of it from another plan, from the audit. */
export interface RecordedRead {
  /** The application that got data; undefined for a receipt. */
  readonly clientId?: string | undefined;
  /** The exchange by which data was received. */
  readonly exchangeId?: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Resource type that was read or searched; of a receipt, the first. */
  readonly resourceType: string;
  /** Number of resources in a search response by type, including `_include`d ones; empty if the response had none. */
  readonly found?: ReadonlyMap<string, number>;
}

/** The last access of each application. Times are milliseconds since 1970. */
export interface LastAccesses {
  /** Time of the last access by client ID. An application without an entry has received nothing since `lookedBackTo`. */
  readonly last: ReadonlyMap<string, number>;
  readonly lookedBackTo: number;
}

/**
 * A member's grants in one LOB, and the accesses by them.
 *
 * @throws StoreUnavailable from every method.
 */
export interface MemberGrants {
  /**
   * Lists the active grants that have not expired.
   *
   * @param now seconds since 1970
   */
  live(lob: LineOfBusiness, patientId: string, now: number): Promise<readonly LiveMemberGrant[]>;
  /**
   * Lists the grants that end when the member stops sharing: active ones, and pending ones whose code can still be redeemed. A payer's
   * grant is included even after it has expired, because the payer could match again with the same Consent.
   *
   * @param now seconds since 1970
   */
  endable(lob: LineOfBusiness, patientId: string, now: number): Promise<readonly EndableGrant[]>;
  /** Whether the member has ever stopped sharing with an application. */
  hasStopped(lob: LineOfBusiness, patientId: string, clientId: string): Promise<boolean>;
  /**
   * Finds the last access of each application after `since` (milliseconds since 1970). It stops after as many events as a page can wait
   * for, so that the page, and with it the button that stops sharing, loads even if one application reads very often.
   */
  lastAccesses(
    lob: LineOfBusiness,
    patientId: string,
    clientIds: readonly string[],
    since: number,
  ): Promise<LastAccesses>;
  /**
   * Lists accesses, newest first, without those that a later event corrects.
   *
   * @param of the patient; with a client ID, the accesses of that application, without one, those of all and what was received; with a
   *   representative's ID, without accesses by others' consents.
   * @param after `next` of the previous page.
   */
  accesses(
    lob: LineOfBusiness,
    of: {
      readonly patientId: string;
      readonly clientId: string | undefined;
      readonly representativeId: string | undefined;
    },
    after: string | undefined,
  ): Promise<{ readonly accesses: readonly RecordedRead[]; readonly next: string | undefined }>;
  /**
   * Revokes the grant, with its audit event, and ends the payer's permission if it is a payer's.
   *
   * @returns false if the grant had ended already.
   */
  stop(step: {
    readonly lob: LineOfBusiness;
    readonly patientId: string;
    readonly grant: EndableGrant;
    readonly because: string;
    readonly audit: AuditEvent;
  }): Promise<boolean>;
}

/** Whether a text from a query parameter has the form of the cursor `next` of `accesses`. */
export function isAccessCursor(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z#[0-9a-f-]{36}$/.test(text);
}
