/**
 * Port to the groups of members that payers' applications matched. Called by bulk matches, exports, and reads and searches of groups; the
 * adapter `payer-access/store/payer-groups.ts` reaches only an application's own groups.
 */

import type { MatchGroupCode } from './match-groups.ts';

/** A group, as the store has it. The Group resource itself is an object of the bucket. */
export interface PayerGroup {
  readonly groupId: string;
  readonly clientId: string;
  readonly code: MatchGroupCode;
  readonly jobId: string;
  readonly quantity: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Seconds since 1970; afterwards the group can't be read or exported. */
  readonly expiresAt: number;
}

export interface PayerGroups {
  /** Writes a group once; a repeat writes the same. @throws StoreUnavailable */
  save(group: PayerGroup): Promise<void>;
  /**
   * One of the application's groups; undefined after it expired.
   *
   * @throws StoreUnavailable
   */
  group(clientId: string, groupId: string): Promise<PayerGroup | undefined>;
  /**
   * The application's groups that have not expired, newest first.
   *
   * @throws StoreUnavailable
   */
  groups(clientId: string): Promise<readonly PayerGroup[]>;
}

/** A matched member of a group, with the grant of the match. */
export interface MatchedMember {
  readonly patientId: string;
  readonly grantId: string;
}

/** Key of the object with the Group resource. */
export function groupKey(groupId: string): string {
  return `groups/${groupId}/group.json`;
}

/** Key of the object with the list of a group's matched members. */
export function groupMembersKey(groupId: string): string {
  return `groups/${groupId}/members.json`;
}
