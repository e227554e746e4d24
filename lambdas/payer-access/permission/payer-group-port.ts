/**
 * Port of the groups of members that payers' applications matched. Called by bulk matches, exports, and reads and searches of groups; the
 * adapter `payer-access/store/payer-groups.ts` reaches an application's own groups only.
 */

import type { MatchGroupCode } from './match-groups.ts';

/** A group as the store keeps it. Its resource is an object of the bucket. */
export interface PayerGroup {
  readonly groupId: string;
  readonly clientId: string;
  readonly code: MatchGroupCode;
  readonly jobId: string;
  readonly quantity: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Seconds since 1970: it can't be read or exported afterwards. */
  readonly expiresAt: number;
}

export interface PayerGroups {
  /** Writes a group once; a repeat writes the same. @throws StoreUnavailable */
  save(group: PayerGroup): Promise<void>;
  /** An application's own group, until it expires. @throws StoreUnavailable */
  group(clientId: string, groupId: string): Promise<PayerGroup | undefined>;
  /** An application's own groups that have not expired, the newest first. @throws StoreUnavailable */
  groups(clientId: string): Promise<readonly PayerGroup[]>;
}

/** A matched member of a group, with the grant of the match. */
export interface MatchedMember {
  readonly patientId: string;
  readonly grantId: string;
}

/** Key of a group's resource. */
export function groupKey(groupId: string): string {
  return `groups/${groupId}/group.json`;
}

/** Key of the list of a group's matched members. */
export function groupMembersKey(groupId: string): string {
  return `groups/${groupId}/members.json`;
}
