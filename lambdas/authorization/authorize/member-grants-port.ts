/**
 * Port of a member's grants and last accesses. Called by the consent page, the connected apps and operators' requests; the adapter
 * `authorization/store/member-grants.ts` reads grants and the audit of disclosures, and writes the end of grants with its event.
 */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { PersonalRepresentative } from '../oauth/member-account.ts';
import type { EarlierGrant } from './replaced-grants.ts';

/** Reason of a grant that the member ended on the connected-apps page. */
export const memberStopped = 'member_stopped';

/** An active grant of a member. */
export interface LiveMemberGrant {
  readonly grantId: string;
  readonly clientId: string;
  /** The account that consented. */
  readonly sub: string;
  /** The account holder, where they consented as the patient's personal representative. */
  readonly representative?: PersonalRepresentative | undefined;
  readonly scope: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A grant that can be ended. */
export interface EndableGrant extends EarlierGrant {
  /** Names of the payer, where the grant is another payer's match: it ends with what this payer's other applications have. */
  readonly payer?: readonly string[] | undefined;
}

/** One disclosure of the member's data, by the audit. */
export interface RecordedRead {
  readonly clientId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Type that was read or searched. */
  readonly resourceType: string;
  /** Number of resources a search sent, by type, included ones too; empty where it sent none. */
  readonly found?: ReadonlyMap<string, number>;
}

/** Times are milliseconds since 1970. */
export interface LastAccesses {
  /** Last use by client ID; an application that is missing received nothing since `lookedBackTo`. */
  readonly last: ReadonlyMap<string, number>;
  readonly lookedBackTo: number;
}

/**
 * A member's grants in one LOB, and what was read by them.
 *
 * @throws StoreUnavailable from every method.
 */
export interface MemberGrants {
  /** Active grants whose time isn't over. @param now seconds since 1970 */
  live(lob: LineOfBusiness, patientId: string, now: number): Promise<readonly LiveMemberGrant[]>;
  /**
   * Active grants, and pending ones whose code may still be redeemed: what ends when the member stops sharing. A payer's grant is among
   * them after its time too: the payer could match again by the same Consent. @param now seconds since 1970
   */
  endable(lob: LineOfBusiness, patientId: string, now: number): Promise<readonly EndableGrant[]>;
  /** Whether the member ever stopped sharing with an application. */
  hasStopped(lob: LineOfBusiness, patientId: string, clientId: string): Promise<boolean>;
  /**
   * Finds the last access of each application, looking back no further than `since` (milliseconds since 1970), and through no
   * more events than a page can wait for: one busy application must not keep a member from stopping it.
   */
  lastAccesses(
    lob: LineOfBusiness,
    patientId: string,
    clientIds: readonly string[],
    since: number,
  ): Promise<LastAccesses>;
  /**
   * Lists the accesses of one application, the newest first: disclosures that no later event corrects.
   *
   * @param after `next` of the page before.
   */
  accesses(
    lob: LineOfBusiness,
    patientId: string,
    clientId: string,
    after: string | undefined,
  ): Promise<{ readonly accesses: readonly RecordedRead[]; readonly next: string | undefined }>;
  /** The grant → `revoked`, with its audit event and the end of a payer's permission. @returns false where it had ended already. */
  stop(step: {
    readonly lob: LineOfBusiness;
    readonly patientId: string;
    readonly grant: EndableGrant;
    readonly because: string;
    readonly audit: AuditEvent;
  }): Promise<boolean>;
}

/** Whether a text is a cursor of accesses: `next`, as it comes back in an address. */
export function isAccessCursor(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z#[0-9a-f-]{36}$/.test(text);
}
