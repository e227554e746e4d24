import * as z from 'zod/mini';
import { portalLimits } from '../catalog/portal-limits.ts';
import type { Invitation, Team, TeamStore } from '../developers/ports.ts';
import { created, holds } from './conditional-writes.ts';
import { invitationKey, teamInvitationKey, teamKey, teamMemberKey } from './portal-keys.ts';
import type { PortalOutbox } from './portal-outbox.ts';
import { outboxWrite } from './portal-outbox.ts';
import { queryAll } from './query-all.ts';
import type { Table, Write } from './table.ts';

const storedTeam = z.object({
  teamId: z.string(),
  name: z.string(),
  members: z.number(),
  applications: z._default(z.number(), 0),
  invited: z._default(z.number(), 0),
});
const storedMember = z.object({ accountId: z.string(), joinedAt: z.string() });
const storedInvitation = z.object({
  invitationId: z.string(),
  tokenSha256: z.string(),
  teamId: z.string(),
  email: z.string(),
  invitedBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.number(),
});

/** Teams and invitations over the portal's table. */
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
    async invite(team, invitation, mail) {
      const entry = outboxWrite(mail, invitation.createdAt, random.uuid());
      const item = { ...invitation, ttl: invitation.expiresAt };
      const written = await holds(table, [
        teamUnchanged(invitation.teamId, team),
        created({ ...invitationKey(invitation.tokenSha256), ...item }),
        created({ ...teamInvitationKey(invitation.teamId, invitation.invitationId), ...item }),
        entry.write,
      ]);
      // What fails now is carried out by the upkeep: the invitation is made.
      if (written) await outbox.carryOut([entry.id]).catch(() => undefined);
      return written;
    },
    async withdraw(teamId, invitationId) {
      const item = await table.get(teamInvitationKey(teamId, invitationId));
      if (item === undefined) return false;
      return await holds(table, invitationUsed(storedInvitation.parse(item), 0));
    },
  };
}

/** Counts an invitation, in a team nobody has joined, left or been invited to since it was read. */
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

/** Uses an invitation up, if it is there and its time isn't over. */
export function invitationUsed(invitation: Invitation, nowSeconds: number): readonly Write[] {
  const condition = {
    expression: 'attribute_exists(pk) AND expiresAt > :now',
    values: { ':now': nowSeconds },
  };
  return [
    { delete: invitationKey(invitation.tokenSha256), condition },
    { delete: teamInvitationKey(invitation.teamId, invitation.invitationId) },
  ];
}

/** A new team with its first member. @param at ISO 8601 */
export function teamMade(team: Team, accountId: string, at: string): readonly Write[] {
  return [created({ ...teamKey(team.teamId), ...team, createdAt: at }), member(team.teamId, accountId, at)];
}

function member(teamId: string, accountId: string, joinedAt: string): Write {
  return { put: { ...teamMemberKey(teamId, accountId), accountId, joinedAt } };
}

/** Joins a team that has room. */
export function teamJoined(teamId: string, accountId: string, at: string): readonly Write[] {
  const update = {
    key: teamKey(teamId),
    expression: 'ADD members :one',
    condition: 'attribute_exists(pk) AND members < :most',
    values: { ':one': 1, ':most': portalLimits.teamMembers },
  };
  return [{ update }, member(teamId, accountId, at)];
}

/** Leaves a team. @param alone whether the last member may leave it: of a team without an application that goes on. */
export function teamLeft(teamId: string, accountId: string, alone: boolean): readonly Write[] {
  const update = {
    key: teamKey(teamId),
    expression: 'ADD members :less',
    condition: alone
      ? 'attribute_exists(pk) AND (members > :one OR attribute_not_exists(applications) OR applications <= :none)'
      : 'members > :one',
    values: { ':less': -1, ':one': 1, ...(alone ? { ':none': 0 } : {}) },
  };
  const condition = { expression: 'attribute_exists(pk)' };
  return [{ update }, { delete: teamMemberKey(teamId, accountId), condition }];
}
