/** Port of the store of teams, their members and invitations. The adapter is `portal/adapters/team-store.ts`. */

import type { MailEntry } from '../api/outbox.ts';
import type { TeamRole } from '../catalog/account-states.ts';

export interface Team {
  readonly teamId: string;
  readonly name: string;
  readonly members: number;
  /** Number of applications that are neither withdrawn nor revoked. */
  readonly applications: number;
  /** Number of invitations made so far. It never decreases, so an equal number means that no invitation was made meanwhile. */
  readonly invited: number;
}

export interface TeamMember {
  readonly accountId: string;
  readonly role: TeamRole;
  /** ISO 8601. */
  readonly joinedAt: string;
}

/** The role of a member who leaves a team or changes role, and the owner who remains. */
export interface TeamMembership {
  readonly role: TeamRole;
  /**
   * Another owner of the team. `promoted`: this change makes the member an owner. Absent where the account is not an owner, or is the
   * team's only member.
   */
  readonly remainingOwner?: { readonly accountId: string; readonly promoted: boolean };
}

export interface Invitation {
  readonly invitationId: string;
  /** SHA-256 (hex) of the token in the mail's link. */
  readonly tokenSha256: string;
  readonly teamId: string;
  readonly email: string;
  readonly invitedBy: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export interface TeamStore {
  find(teamId: string): Promise<Team | undefined>;
  members(teamId: string): Promise<readonly TeamMember[]>;
  invitations(teamId: string): Promise<readonly Invitation[]>;
  invitation(tokenSha256: string): Promise<Invitation | undefined>;
  /**
   * Adds an invitation. The caller has checked that `team`, as it was read, is not full; so the write fails if anybody has joined, left or
   * been invited since.
   *
   * @param owner ID of the account that must be an owner of the team.
   * @returns false if the team has changed, or the account is no longer an owner: nothing is written and no mail is sent.
   */
  invite(
    team: Pick<Team, 'members' | 'invited'>,
    invitation: Invitation,
    mail: MailEntry,
    owner: string,
  ): Promise<boolean>;
  /** @returns false where the team has no such invitation. */
  withdraw(teamId: string, invitationId: string, owner: string): Promise<boolean>;
}
