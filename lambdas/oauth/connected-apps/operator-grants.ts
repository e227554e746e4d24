import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Random } from '../../kernel/random.ts';
import type { ClientStore } from '../client-store.ts';
import { applicationOf } from '../pages/application.ts';
import type { MemberGrants } from './member-grants.ts';
import type {
  ListedApplication,
  MemberReference,
  OperatorGrantsAnswer,
  OperatorGrantsRequest,
} from './operator-grants-contract.ts';
import { endSharing, type SharedApplication, sharedApplications } from './shared-applications.ts';

/** Which Patient a member is in a LOB; undefined for one nobody loaded there. @throws StoreUnavailable */
export type FindPatient = (lob: LineOfBusiness, member: MemberReference) => Promise<string | undefined>;

/** What it takes to see and end what a member shares, for them. */
export interface OperatorGrantsDependencies {
  readonly environment: Environment;
  readonly grants: MemberGrants;
  readonly clients: ClientStore;
  readonly patientOf: FindPatient;
  readonly now: Clock;
  readonly random: Random;
}

/**
 * The member's connected apps as an operator sees and ends them. `not_shared`: the one application named has nothing to end;
 * that nothing is left of all of them is no refusal.
 *
 * @throws StoreUnavailable; grants that had ended by then stay ended, and a repeat ends the others.
 */
export async function operateOnGrants(
  server: OperatorGrantsDependencies,
  request: OperatorGrantsRequest,
): Promise<OperatorGrantsAnswer> {
  const { lob, member } = request;
  const patientId = await server.patientOf(lob, member);
  if (patientId === undefined) return { ok: false, reason: 'member_unknown' };
  if (request.action === 'list') {
    const shared = await sharedApplications(server, lob, patientId);
    return { ok: true, patientId, applications: shared.map(listed) };
  }
  const { applications, reason, requestId } = request;
  const clientId = applications === 'all' ? undefined : applications.clientId;
  const context = { environment: server.environment, lob, requestId };
  const decided = { action: 'grant.end', actor: 'operator', reason } as const;
  const ended = await endSharing(server, { context, patientId, clientId, decided });
  if (ended.length === 0 && clientId !== undefined) return { ok: false, reason: 'not_shared' };
  return { ok: true, patientId, ended };
}

function listed({
  clientId,
  client,
  scopes,
  since,
  endsAt,
  lastAccess,
}: SharedApplication): ListedApplication {
  return {
    clientId,
    ...(client !== undefined && { name: applicationOf(client).name }),
    scopes: [...new Set(scopes.flatMap((scope) => scope.split(' ')))],
    since: iso(since),
    until: iso(endsAt),
    ...(typeof lastAccess === 'number' && { lastAccess: iso(lastAccess) }),
    ...(typeof lastAccess === 'object' && { notReadSince: iso(lastAccess.notSince) }),
  };
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
