/** Lists and ends a member's grants at an operator's request (`ops grants`). */

import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { MemberGrants } from '../authorize/member-grants-port.ts';
import type { ClientReader } from '../oauth/client-ports.ts';
import { registeredNameOf } from '../pages/application.ts';
import { endSharing } from './end-sharing.ts';
import type {
  ListedApplication,
  MemberReference,
  OperatorGrantsAnswer,
  OperatorGrantsRequest,
} from './operator-grants-contract.ts';
import { type SharedApplication, sharedApplications } from './shared-applications.ts';

/**
 * Finds the Patient of a member in an LOB.
 *
 * @returns undefined if the member is not loaded there.
 * @throws StoreUnavailable
 */
export type FindPatient = (lob: LineOfBusiness, member: MemberReference) => Promise<string | undefined>;

export interface OperatorGrantsDependencies {
  readonly environment: Environment;
  readonly grants: MemberGrants;
  readonly clients: ClientReader;
  readonly patientOf: FindPatient;
  readonly now: Clock;
  readonly random: Random;
}

/**
 * Lists or ends a member's grants for an operator. Ending the grants of one application is refused as `not_shared` if there are none;
 * ending all is never refused for that.
 *
 * @throws StoreUnavailable; grants ended before the error stay ended, and a repeat ends the rest.
 */
export async function operateOnGrants(
  server: OperatorGrantsDependencies,
  request: OperatorGrantsRequest,
): Promise<OperatorGrantsAnswer> {
  const { lob, member } = request;
  const patientId = await server.patientOf(lob, member);
  if (patientId === undefined) return { kind: 'refusal', reason: 'member_unknown' };
  if (request.action === 'list') {
    const shared = await sharedApplications(server, lob, patientId);
    return { kind: 'applications', patientId, applications: shared.map(describeGrant) };
  }
  const { applications, reason, requestId } = request;
  const clientId = applications === 'all' ? undefined : applications.clientId;
  const context = { environment: server.environment, lob, requestId };
  const decided = { action: 'grant.end', actor: 'operator', reason } as const;
  const ended = await endSharing(server, { context, patientId, clientId, decided });
  if (ended.length === 0 && clientId !== undefined) return { kind: 'refusal', reason: 'not_shared' };
  return { kind: 'ended', patientId, ended };
}

function describeGrant({
  clientId,
  client,
  scopes,
  since,
  endsAt,
  lastAccess,
}: SharedApplication): ListedApplication {
  return {
    clientId,
    ...(client !== undefined && { name: registeredNameOf(client) }),
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
