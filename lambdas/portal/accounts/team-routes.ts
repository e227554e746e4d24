/** Routes of a team: members, roles and invitations. */

import { acceptInvitationRequest, invitationRequest, teamRoleRequest } from '../api/accounts.ts';
import {
  noContent,
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  type PortalSession,
  problem,
  publicRoute,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import type { InvitationView, TeamView } from '../api/views.ts';
import type { TeamRole } from '../catalog/account-states.ts';
import { portalLimits } from '../catalog/limits.ts';
import { type Account, fullName } from './account.ts';
import { invitationMail } from './account-messages.ts';
import { accountOf, editAccount } from './change-account.ts';
import type { DeveloperServices } from './developer-services.ts';
import { isOpenFor } from './sign-up-route.ts';
import type { Invitation, Team, TeamMembership } from './team-store-port.ts';

/** Limit of invitations of one team: each is a mail to somebody who did not ask for it. */
const invitationRate = { name: 'invitation', limit: 20, periodSeconds: 86_400 };

type TeamRouteServices = Pick<
  DeveloperServices,
  'origin' | 'accounts' | 'teams' | 'limits' | 'sha256Hex' | 'random' | 'now'
>;

/**
 * Makes the routes of a team, whose members work on the same applications. Owners invite, remove and make others owners; anybody may leave.
 */
export function teamRoutes(services: TeamRouteServices) {
  return {
    team: sessionRead(async ({ session }) => await showTeam(services, session.teamId)),
    invite: sessionRoute(invitationRequest, async (request) => await invite(services, request)),
    withdrawInvitation: sessionRead(async ({ session, params }) => {
      if (!(await isOwner(services, session))) return problem('owners_only');
      const { invitationId = '' } = params;
      const withdrawn = await services.teams.withdraw(session.teamId, invitationId, session.accountId);
      return withdrawn ? noContent() : problem('not_found');
    }),
    showInvitation: publicRoute(
      acceptInvitationRequest,
      async ({ body }) => await showInvitation(services, body),
    ),
    changeTeamRole: sessionRoute(teamRoleRequest, async (request) => await changeRole(services, request)),
    acceptInvitation: sessionRoute(
      acceptInvitationRequest,
      async (request) => await accept(services, request),
    ),
    removeTeamMember: sessionRead(async (request) => await remove(services, request)),
  };
}

async function showTeam(
  services: Pick<DeveloperServices, 'accounts' | 'teams' | 'now'>,
  teamId: string,
): Promise<PortalResult> {
  const team = await services.teams.find(teamId);
  if (team === undefined) return problem('not_found');
  return response(200, await teamView(services, team));
}

async function teamView(
  services: Pick<DeveloperServices, 'accounts' | 'teams' | 'now'>,
  { teamId, name }: Team,
): Promise<TeamView> {
  const [members, invitations] = await Promise.all([
    services.teams.members(teamId),
    openInvitations(services, teamId),
  ]);
  const accounts = await Promise.all(members.map(({ accountId }) => services.accounts.find(accountId)));
  return {
    teamId,
    name,
    members: members.flatMap(({ accountId, role, joinedAt }, at) => {
      const account = accounts[at];
      return account === undefined
        ? []
        : [{ accountId, name: fullName(account), email: account.email, role, joinedAt }];
    }),
    invitations: invitations.map(invitationView),
  };
}

function invitationView({ invitationId, email, invitedBy, expiresAt }: Invitation) {
  return { invitationId, email, invitedBy, expiresAt: new Date(expiresAt * 1000).toISOString() };
}

async function openInvitations(
  { teams, now }: Pick<DeveloperServices, 'teams' | 'now'>,
  teamId: string,
): Promise<readonly Invitation[]> {
  const invitations = await teams.invitations(teamId);
  return invitations.filter(({ expiresAt }) => expiresAt > now() / 1000);
}

type InvitationRequest = PortalRequest<{ readonly email: string }>;

/** Attempts to write an invitation while other requests change the team. */
const mostAttempts = 5;

async function invite(services: TeamRouteServices, request: InvitationRequest): Promise<PortalResult> {
  const { session, body } = request;
  if (!(await isOwner(services, session))) return problem('owners_only');
  for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
    // Read before the team's members: `teams.invite` writes nothing if the team has changed since this read.
    const team = await services.teams.find(session.teamId);
    if (team === undefined) return problem('not_found');
    const refusal = await noRoomFor(services, team, body.email);
    if (refusal !== undefined) return refusal;
    if (attempts === 0) {
      const verdict = await services.limits.attempt(invitationRate, team.teamId);
      if (verdict.kind === 'limited')
        return problem('too_many_requests', { retryAfter: verdict.retryAfterSeconds });
    }
    const { invitation, mail } = newInvitation(services, request, team);
    if (await services.teams.invite(team, invitation, mail, session.accountId)) {
      return response(201, invitationView(invitation));
    }
  }
  return problem('unavailable');
}

/** Refuses to invite a member, somebody invited already, or anybody to a full team. Open invitations count as members. */
async function noRoomFor(
  services: Pick<DeveloperServices, 'accounts' | 'teams' | 'now'>,
  team: Team,
  address: string,
): Promise<PortalProblem | undefined> {
  const { members, invitations } = await teamView(services, team);
  const same = ({ email }: { readonly email: string }) => email.toLowerCase() === address.toLowerCase();
  if (members.some(same)) return taken('this person is already in the team');
  if (invitations.some(same)) return taken('this person already has an open invitation');
  const limit = portalLimits.teamMembers;
  return team.members + invitations.length >= limit ? problem('limit_reached', { limit }) : undefined;
}

function newInvitation(
  services: Pick<DeveloperServices, 'origin' | 'sha256Hex' | 'random' | 'now'>,
  { session, body }: InvitationRequest,
  team: Team,
) {
  const token = services.random.token();
  const invitation: Invitation = {
    invitationId: services.random.uuid(),
    tokenSha256: services.sha256Hex(token),
    teamId: team.teamId,
    email: body.email,
    invitedBy: session.name,
    createdAt: new Date(services.now()).toISOString(),
    expiresAt: Math.floor(services.now() / 1000) + portalLimits.invitationSeconds,
  };
  // The token is in the fragment, which browsers send to no server, so that it is in no log.
  const link = `${services.origin}/invitation#${token}`;
  return { invitation, mail: invitationMail(body.email, { name: session.name, team: team.name }, link) };
}

function taken(expected: string): PortalProblem {
  return problem('invalid_request', { errors: [{ pointer: '/email', code: 'taken', expected }] });
}

async function accept(
  services: Pick<DeveloperServices, 'accounts' | 'teams' | 'sha256Hex' | 'random' | 'now'>,
  { session, body, requestId }: PortalRequest<{ readonly invitation: string }>,
): Promise<PortalResult> {
  const account = await accountOf(services, session);
  if (account === undefined) return problem('signed_out');
  const invitation = await services.teams.invitation(services.sha256Hex(body.invitation));
  if (!isOpenFor(invitation, account.email, services.now()) || invitation.teamId === account.teamId) {
    return problem('invitation_invalid');
  }
  const leaves = await services.teams.find(account.teamId);
  if (leaves === undefined) return problem('not_found');
  if (leaves.members < 2 && leaves.applications > 0) {
    const detail = 'Your own team has active applications and no other member. Invite someone to it first.';
    return problem('invitation_invalid', { detail });
  }
  const team = { kind: 'joined', joins: invitation, leaves } as const;
  const fields = { teamId: invitation.teamId };
  const membership = await membershipOf(services, account);
  const done = await editAccount(services, account, 'join_team', fields, { requestId, team, ...membership });
  if (done.kind !== 'problem') return await showTeam(services, invitation.teamId);
  return done.problem === 'code_expired' ? await notJoined(services, invitation) : done;
}

async function notJoined(
  { teams }: Pick<DeveloperServices, 'teams'>,
  { teamId }: Invitation,
): Promise<PortalProblem> {
  const limit = portalLimits.teamMembers;
  const full = ((await teams.find(teamId))?.members ?? 0) >= limit;
  return full ? problem('limit_reached', { limit }) : problem('invitation_invalid');
}

/** Removes a member from the team, or lets the caller leave it; the removed account gets a new team of its own. */
async function remove(
  services: Pick<DeveloperServices, 'accounts' | 'teams' | 'random' | 'now'>,
  request: PortalRequest,
): Promise<PortalResult> {
  const { session, params, requestId } = request;
  const account = await services.accounts.find(params.accountId ?? '');
  const leaves = await services.teams.find(session.teamId);
  if (account === undefined || leaves === undefined || account.teamId !== session.teamId) {
    return problem('not_found');
  }
  const isOwn = account.accountId === session.accountId;
  if (!isOwn && !(await isOwner(services, session))) return problem('owners_only');
  if (leaves.members < 2) {
    const expected = 'a member of a team with several members: the only member cannot leave';
    return problem('invalid_request', { errors: [{ pointer: '/accountId', code: 'invalid', expected }] });
  }
  const own = ownTeam(services, account);
  const options = {
    requestId,
    by: actorOf(session),
    team: { kind: 'left', leaves, own } as const,
    ...(await membershipOf(services, account)),
    ...(isOwn ? {} : { owner: session.accountId }),
  };
  const done = await editAccount(services, account, 'leave_team', { teamId: own.teamId }, options);
  if (done.kind !== 'problem') return noContent();
  return done.problem === 'code_expired' ? problem('stale_version') : done;
}

/** Makes a member an owner, or an owner a member. */
async function changeRole(
  services: Pick<DeveloperServices, 'accounts' | 'teams' | 'random' | 'now'>,
  { session, params, body, requestId }: PortalRequest<{ readonly role: TeamRole }>,
): Promise<PortalResult> {
  const account = await services.accounts.find(params.accountId ?? '');
  if (account === undefined || account.teamId !== session.teamId) return problem('not_found');
  if (!(await isOwner(services, session))) return problem('owners_only');
  const { membership } = await membershipOf(services, account);
  if (membership !== undefined && membership.role !== body.role) {
    if (body.role === 'member' && membership.remainingOwner?.promoted !== false) return lastOwner;
    const deed = body.role === 'owner' ? 'become_team_owner' : 'become_team_member';
    const team = { kind: 'role_changed', role: body.role } as const;
    const options = { requestId, by: actorOf(session), team, membership, owner: session.accountId };
    const done = await editAccount(services, account, deed, {}, options);
    if (done.kind === 'problem') return done.problem === 'code_expired' ? problem('stale_version') : done;
  }
  return await showTeam(services, session.teamId);
}

const lastOwner: PortalProblem = problem('invalid_request', {
  errors: [
    { pointer: '/role', code: 'invalid', expected: 'another owner first: a team needs at least one owner' },
  ],
});

function actorOf({ accountId, name }: PortalSession) {
  return { kind: 'developer', id: accountId, name } as const;
}

async function isOwner(
  { teams }: Pick<DeveloperServices, 'teams'>,
  { accountId, teamId }: PortalSession,
): Promise<boolean> {
  const members = await teams.members(teamId);
  return members.some((member) => member.accountId === accountId && member.role === 'owner');
}

/**
 * Finds the role of an account in its team, and the owner who remains when the account leaves: another owner, or else the member who joined
 * first, who becomes an owner. So anybody can leave, and no team is without an owner.
 */
export async function membershipOf(
  { teams }: Pick<DeveloperServices, 'teams'>,
  { accountId, teamId }: Account,
): Promise<{ readonly membership?: TeamMembership }> {
  const members = await teams.members(teamId);
  const role = members.find((member) => member.accountId === accountId)?.role;
  if (role === undefined) return {};
  const others = members.filter((member) => member.accountId !== accountId);
  const owner = others.find((member) => member.role === 'owner');
  const [longest] = [...others].sort((one, other) => one.joinedAt.localeCompare(other.joinedAt));
  const remaining = owner ?? longest;
  if (role === 'member' || remaining === undefined) return { membership: { role } };
  return {
    membership: { role, remainingOwner: { accountId: remaining.accountId, promoted: owner === undefined } },
  };
}

/** Shows an invitation to the person who has the token from its mail. */
async function showInvitation(
  services: Pick<DeveloperServices, 'teams' | 'sha256Hex' | 'now'>,
  body: { readonly invitation: string },
): Promise<PortalResult> {
  const invitation = await services.teams.invitation(services.sha256Hex(body.invitation));
  if (invitation === undefined || invitation.expiresAt <= services.now() / 1000) {
    return problem('invitation_invalid');
  }
  const team = await services.teams.find(invitation.teamId);
  if (team === undefined) return problem('invitation_invalid');
  const { email, invitedBy, expiresAt } = invitation;
  const view: InvitationView = {
    team: team.name,
    invitedBy,
    email,
    expiresAt: new Date(expiresAt * 1000).toISOString(),
  };
  return response(200, view);
}

function ownTeam({ random }: Pick<DeveloperServices, 'random'>, account: Account): Team {
  return { teamId: random.uuid(), name: account.company, members: 1, applications: 0, invited: 0 };
}
