/** Developers' routes for an application's log of calls and usage, each in one environment. */

import type { ProvisioningRequest } from '../../clients/provisioning/provisioning-contract.ts';
import {
  type PortalRequest,
  type PortalResult,
  problem,
  response,
  sessionRead,
} from '../api/route-handler.ts';
import type { CallsView, UsageView } from '../api/views.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { PreflightServices } from './application-ports.ts';
import { readCallsQuery } from './calls-query.ts';
import { clientInEnvironment, invalidParameter, refused } from './environment-client.ts';
import { callView } from './evidence.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Makes the routes for log of calls and usage of a team's applications. */
export function callRoutes(portal: PreflightServices) {
  return {
    calls: sessionRead((request) => calls(portal, request)),
    usage: sessionRead((request) => usage(portal, request)),
  };
}

/** Lists the calls that the query asks for, newest first. */
async function calls(portal: PreflightServices, request: PortalRequest<undefined>): Promise<PortalResult> {
  const read = readCallsQuery(request.query);
  if (read.kind === 'wrong') {
    const errors = read.errors.map(({ name, expected }) => invalidParameter(name, expected));
    return problem('invalid_request', { errors });
  }
  const { query } = read;
  const client = await clientInEnvironment(portal, request);
  if (client.kind === 'problem') return client;
  const from = Math.max(query.from ?? 0, portal.now() - portalLimits.callLogDays * dayMs);
  const to = Math.min(query.to ?? Number.POSITIVE_INFINITY, portal.now() + 1);
  // The log keeps no calls older than `from`, and has none after now.
  if (from > to || (query.before !== undefined && query.before.time < from)) {
    return response(200, { calls: [] } satisfies CallsView);
  }
  const { environment, clientId } = client;
  const answer = await portal.environments.send(environment, {
    action: 'calls',
    clientId,
    from,
    to,
    ...(query.before === undefined ? {} : { before: query.before }),
    filter: query.filter,
    limit: query.limit,
  });
  if (answer.kind === 'refusal') return refused(answer.refusal, client.loaded);
  if (answer.kind !== 'calls') throw new Error('the environment tells no calls');
  const body: CallsView = {
    calls: answer.calls.map(callView),
    ...(answer.next === undefined ? {} : { next: `${answer.next.time}.${answer.next.requestId}` }),
  };
  return response(200, body);
}

async function usage(portal: PreflightServices, request: PortalRequest<undefined>): Promise<PortalResult> {
  const client = await clientInEnvironment(portal, request);
  if (client.kind === 'problem') return client;
  const { environment, clientId } = client;
  const date = (time: number) => new Date(time).toISOString().slice(0, 10);
  const asked: ProvisioningRequest = {
    action: 'usage',
    clientId,
    from: date(portal.now() - (portalLimits.callLogDays - 1) * dayMs),
    to: date(portal.now()),
  };
  const answer = await portal.environments.send(environment, asked);
  if (answer.kind === 'refusal') return refused(answer.refusal, client.loaded);
  if (answer.kind !== 'usage') throw new Error('the environment tells no usage');
  const { requestsPerDay, requestsPerSecond, burst } = portal.tiers[environment];
  const body: UsageView = { quotaPerDay: requestsPerDay, requestsPerSecond, burst, days: answer.usage };
  return response(200, body);
}
