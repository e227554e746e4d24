/** Reads and writes teams, members and invitations in the portal's table. */

import * as z from 'zod/mini';
import { conditionHolds, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Condition, Table, Write } from '../../platform/table/table.ts';
import type { Invitation, Team, TeamMembership, TeamStore } from '../accounts/team-store-port.ts';
import { type TeamRole, teamRoleNames } from '../catalog/account-states.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { PortalOutbox } from './outbox.ts';
import { outboxWrite } from './outbox.ts';
import { invitationKey, teamInvitationKey, teamKey, teamMemberKey } from './portal-table-keys.ts';

const storedTeam = z.object({
  teamId: z.string(),
  name: z.string(),
  members: z.number(),
  applications: z._default(z.number(), 0),
  invited: z._default(z.number(), 0),
});
const storedMember = z.object({
  accountId: z.string(),
  joinedAt: z.string(),
  // Items written before teams had roles have none: their members are all owners.
  role: z._default(z.enum(teamRoleNames as readonly [TeamRole, ...TeamRole[]]), 'owner'),
});
const storedInvitation = z.object({
  invitationId: z.string(),
  tokenSha256: z.string(),
  teamId: z.string(),
  email: z.string(),
  invitedBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.number(),
});

/** Creates the store of teams and invitations over the portal's table. */
export function createPortalTeamStore(
  table: Table,
  {
    outbox,
    random,
  }: { readonly outbox: Pick<PortalOutbox, 'carryOut'>; readonly random: { uuid(): string } },
): TeamStore {
  return {
    async find(teamId) {
      const item = await table.get(teamKey(teamId));
      return item === undefined ? undefined : storedTeam.parse(item);
    },
    async members(teamId) {
      const items = await queryAll(table, teamKey(teamId).pk, 'MEMBER#');
      return items.map((item) => storedMember.parse(item));
    },
    async invitations(teamId) {
      const items = await queryAll(table, teamKey(teamId).pk, 'INVITATION#');
      return items.map((item) => storedInvitation.parse(item));
    },
    async invitation(tokenSha256) {
      const item = await table.get(invitationKey(tokenSha256));
      return item === undefined ? undefined : storedInvitation.parse(item);
    },
    async invite(team, invitation, mail, owner) {
      const entry = outboxWrite(mail, invitation.createdAt, random.uuid());
      const item = { ...invitation, ttl: invitation.expiresAt };
      const written = await conditionHolds(table, [
        teamUnchanged(invitation.teamId, team),
        checkOwner(invitation.teamId, owner),
        putIfAbsent({ ...invitationKey(invitation.tokenSha256), ...item }),
        putIfAbsent({ ...teamInvitationKey(invitation.teamId, invitation.invitationId), ...item }),
        entry.write,
      ]);
      // The invitation is written by now: if the mail fails, the outbox worker sends it.
      if (written) await outbox.carryOut([entry.id]).catch(() => undefined);
      return written;
    },
    async withdraw(teamId, invitationId, owner) {
      const item = await table.get(teamInvitationKey(teamId, invitationId));
      if (item === undefined) return false;
      return await conditionHolds(table, [
        ...useInvitation(storedInvitation.parse(item), 0),
        checkOwner(teamId, owner),
      ]);
    },
  };
}

/** Makes the write that counts an invitation. It fails if anybody has joined, left or been invited since the team was read. */
function teamUnchanged(teamId: string, { members, invited }: Pick<Team, 'members' | 'invited'>): Write {
  return {
    update: {
      key: teamKey(teamId),
      expression: 'ADD invited :one',
      condition: 'members = :members AND (attribute_not_exists(invited) OR invited = :invited)',
      values: { ':one': 1, ':members': members, ':invited': invited },
    },
  };
}

/** Makes the write that uses up an invitation; it fails if the invitation is gone or has expired. */
export function useInvitation(invitation: Invitation, nowSeconds: number): readonly Write[] {
  const condition = {
    expression: 'attribute_exists(pk) AND expiresAt > :now',
    values: { ':now': nowSeconds },
  };
  return [
    { delete: invitationKey(invitation.tokenSha256), condition },
    { delete: teamInvitationKey(invitation.teamId, invitation.invitationId) },
  ];
}

/**
 * Makes the writes of a new team with its first member.
 *
 * @param at ISO 8601
 */
export function createTeam(team: Team, accountId: string, at: string): readonly Write[] {
  return [
    putIfAbsent({ ...teamKey(team.teamId), ...team, createdAt: at }),
    addMember(team.teamId, accountId, at, 'owner'),
  ];
}

function addMember(teamId: string, accountId: string, joinedAt: string, role: TeamRole): Write {
  return { put: { ...teamMemberKey(teamId, accountId), accountId, joinedAt, role } };
}

function roleIs(role: TeamRole) {
  const names = { '#role': 'role' };
  return role === 'owner'
    ? {
        expression: 'attribute_exists(pk) AND (attribute_not_exists(#role) OR #role = :owner)',
        names,
        values: { ':owner': 'owner' },
      }
    : { expression: '#role = :member', names, values: { ':member': 'member' } };
}

/** Makes the check that fails the transaction unless the account is an owner of the team. */
export function checkOwner(teamId: string, accountId: string): Write {
  return { check: teamMemberKey(teamId, accountId), condition: roleIs('owner') };
}

function setRole(teamId: string, accountId: string, role: TeamRole, from?: TeamRole): Write {
  const before: Condition = from === undefined ? { expression: 'attribute_exists(pk)' } : roleIs(from);
  return {
    update: {
      key: teamMemberKey(teamId, accountId),
      expression: 'SET #role = :role',
      condition: before.expression,
      names: { '#role': 'role' },
      values: { ...before.values, ':role': role },
    },
  };
}

/** Makes the writes that change a member's role. */
export function changeRole(
  teamId: string,
  accountId: string,
  role: TeamRole,
  membership: TeamMembership,
): readonly Write[] {
  return [setRole(teamId, accountId, role, membership.role), ...keepOwner(teamId, membership)];
}

/** Makes the write that checks or promotes the owner who remains when an owner leaves. */
function keepOwner(teamId: string, { remainingOwner }: TeamMembership): readonly Write[] {
  if (remainingOwner === undefined) return [];
  return [
    remainingOwner.promoted
      ? setRole(teamId, remainingOwner.accountId, 'owner')
      : checkOwner(teamId, remainingOwner.accountId),
  ];
}

/** Makes the writes by which an account joins a team; they fail if the team is full. */
export function joinTeam(teamId: string, accountId: string, at: string): readonly Write[] {
  const update = {
    key: teamKey(teamId),
    expression: 'ADD members :one',
    condition: 'attribute_exists(pk) AND members < :most',
    values: { ':one': 1, ':most': portalLimits.teamMembers },
  };
  return [{ update }, addMember(teamId, accountId, at, 'member')];
}

/**
 * Makes the writes by which an account leaves a team.
 *
 * @param alone whether the team's last member may leave; the team must then have no live application.
 * @param membership absent for the account of a sign-up that never proved its address.
 */
export function leaveTeam(
  teamId: string,
  accountId: string,
  alone: boolean,
  membership?: TeamMembership,
): readonly Write[] {
  // An owner without a successor must be the only member, because somebody may have joined since the team was read.
  const isOnly = membership?.role === 'owner' && membership.remainingOwner === undefined;
  const update = {
    key: teamKey(teamId),
    expression: 'ADD members :less',
    condition: alone
      ? `attribute_exists(pk) AND ${isOnly ? 'members <= :one AND ' : ''}(members > :one OR attribute_not_exists(applications) OR applications <= :none)`
      : 'members > :one',
    values: { ':less': -1, ':one': 1, ...(alone ? { ':none': 0 } : {}) },
  };
  const condition =
    membership === undefined ? { expression: 'attribute_exists(pk)' } : roleIs(membership.role);
  return [
    { update },
    { delete: teamMemberKey(teamId, accountId), condition },
    ...(membership === undefined ? [] : keepOwner(teamId, membership)),
  ];
}
