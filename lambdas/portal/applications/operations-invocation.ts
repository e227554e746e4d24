/** Handles the invocations of the operator's command line (`application-operations`). */

import * as z from 'zod/mini';
import { issueMessage } from '../../catalog/fhir/issue-message.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { OperatorCommands, OperatorRequest } from '../accounts/operator-commands.ts';
import type { AccountDecision } from '../api/operations.ts';
import {
  type OperationsAnswer,
  type OperationsRequest,
  operationsRequest,
} from '../api/operations-contract.ts';
import type { OperatorAccountView } from '../api/operator-views.ts';
import {
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  type PortalRouteHandler,
  type PortalSession,
  problem,
  response,
} from '../api/route-handler.ts';
import { selectSuspended } from '../api/suspended-applications.ts';
import type { TestMemberView } from '../api/views.ts';
import { accountTransitions, type PortalTransition } from '../catalog/account-states.ts';
import { portalProblems } from '../catalog/problems.ts';
import type { StatusOperations } from '../status/status-operations.ts';
import type { Portal } from './application-ports.ts';
import { actorOf } from './application-routes.ts';
import { isApproval } from './decision-problem.ts';
import { decideApplication, operationsRoutes } from './operations-routes.ts';

/** The operators' routes for accounts. */
export interface AccountRoutes {
  readonly operatorAccounts: PortalRouteHandler;
  readonly operatorAccount: PortalRouteHandler;
  readonly decideAccount: PortalRouteHandler;
}

export interface Operations {
  readonly portal: Portal;
  readonly accountRoutes: AccountRoutes;
  readonly operators: OperatorCommands;
  readonly status: StatusOperations;
}

/** Parses an invocation's payload, and executes it by the handlers of the operators' routes. */
export async function operate(operations: Operations, payload: unknown): Promise<OperationsAnswer> {
  const parsed = z.safeParse(operationsRequest, payload);
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => ({
      pointer: issue.path.map((part) => `/${String(part)}`).join(''),
      code: 'invalid' as const,
      expected: issue.message === 'Invalid input' ? issueMessage(issue) : issue.message,
    }));
    return asProblem(problem('invalid_request', { errors }));
  }
  const answer = await carryOut(operations, parsed.data);
  return answer.kind === 'problem'
    ? asProblem(answer)
    : ({ kind: 'result', result: answer.body } as OperationsAnswer);
}

async function carryOut(
  { portal, accountRoutes: accounts, operators, status }: Operations,
  request: OperationsRequest,
): Promise<PortalResult> {
  const routes = operationsRoutes(portal);
  switch (request.action) {
    case 'queue':
      return await callRoute(portal, routes.queue, request);
    case 'applications':
      return await callRoute(portal, routes.operatorApplications, request, { query: queryOf(request) });
    case 'application':
      return await callRoute(portal, routes.operatorApplication, request, {
        params: { applicationId: request.applicationId },
      });
    case 'decide-application': {
      const { applicationId, decision, dryRun = false } = request;
      if (portal.fourEyes && isApproval(decision.act)) return approvedOnConsole;
      return await decideApplication(portal, applicationId, decision, actorOf(sessionOf(request)), dryRun);
    }
    case 'accounts':
      return await callRoute(portal, accounts.operatorAccounts, request, { query: queryOf(request) });
    case 'account':
      return await callRoute(portal, accounts.operatorAccount, request, {
        params: { accountId: request.accountId },
      });
    case 'decide-account':
      return await decideAccount(portal, accounts, request);
    case 'publish-test-members':
      return await publish(portal, request.members, request.dryRun === true);
    case 'operators':
      return await operators.list();
    case 'create-operator':
      return await operators.create(request.person, operatorRequest(portal, request));
    case 'remove-operator':
      return await operators.remove(request.operatorId, operatorRequest(portal, request));
    case 'reset-authenticator':
      return await operators.resetAuthenticator(request.operatorId, operatorRequest(portal, request));
    case 'measure-status':
      return await status.measure();
    case 'status':
      return await status.read();
    case 'open-incident':
      return await status.open(request.incident, incidentRequest(request));
    case 'change-incident':
      return await status.change(request.incidentId, request.change, incidentRequest(request));
  }
}

function queryOf({ state }: { readonly state?: string | undefined }) {
  return state === undefined ? {} : { state };
}

/**
 * Refuses an approval where two operators must approve. The command line does not verify the operator's name, so two names could be one
 * person.
 */
const approvedOnConsole: PortalProblem = problem('four_eyes', {
  detail:
    'Nothing was saved. Approve on the console, where each operator signs in. The command line does not verify the operator’s name.',
});

function operatorRequest(
  { uuid }: Portal,
  request: OperationsRequest & { readonly dryRun?: true | undefined },
): OperatorRequest {
  const { accountId: id, name } = sessionOf(request);
  return { by: { kind: 'operator', id, name }, requestId: uuid(), dryRun: request.dryRun === true };
}

function incidentRequest({
  operator,
  dryRun,
}: {
  readonly operator: string;
  readonly dryRun?: true | undefined;
}) {
  return { by: operator, dryRun: dryRun === true };
}

/** Makes a session for the command line's operator. IAM has decided who may invoke the function. */
function sessionOf({ operator = 'schedule' }: OperationsRequest): PortalSession {
  return {
    sessionId: 'command-line',
    accountId: `command-line:${operator.toLowerCase()}`,
    teamId: '',
    role: 'operator',
    state: 'active',
    name: operator,
    email: '',
    accountVersion: 1,
  };
}

async function callRoute(
  { uuid }: Portal,
  route: PortalRouteHandler,
  request: OperationsRequest,
  parts: Partial<Pick<PortalRequest<unknown>, 'params' | 'query' | 'body'>> = {},
): Promise<PortalResult> {
  return await route.handle({
    params: {},
    query: {},
    body: undefined,
    session: sessionOf(request),
    cookies: new Map(),
    requestId: uuid(),
    ip: 'command-line',
    ...parts,
  });
}

async function decideAccount(
  portal: Portal,
  accounts: AccountRoutes,
  request: Extract<OperationsRequest, { readonly action: 'decide-account' }>,
): Promise<PortalResult> {
  const { accountId, decision } = request;
  const params = { accountId };
  if (request.dryRun !== true) {
    return await callRoute(portal, accounts.decideAccount, request, { params, body: decision });
  }
  const shown = await callRoute(portal, accounts.operatorAccount, request, { params });
  if (shown.kind === 'problem') return shown;
  return wouldDecide(shown.body as OperatorAccountView, decision);
}

function wouldDecide(account: OperatorAccountView, decision: AccountDecision): PortalResult {
  const { act, version } = decision;
  const edge: PortalTransition<OperatorAccountView['state']> = accountTransitions[act];
  if (!edge.from.includes(account.state)) return problem('account_state', { state: account.state });
  if (account.version !== version) return problem('stale_version', { current: account, changed: [] });
  if (decision.act !== 'suspend' || account.team === undefined) return response(200, account);
  const { applications, errors } = selectSuspended(account.team, decision.applications);
  if (errors.length > 0) return problem('invalid_request', { errors });
  const suspended = applications.map((each) => ({ ...each, outcome: 'waiting' as const }));
  return response(200, { ...account, suspended });
}

async function publish(
  { testMembers }: Portal,
  members: readonly TestMemberView[],
  dryRun: boolean,
): Promise<PortalResult> {
  const byLob = new Map<LineOfBusiness, TestMemberView[]>();
  for (const member of members) byLob.set(member.lob, [...(byLob.get(member.lob) ?? []), member]);
  if (!dryRun) await testMembers.publish(byLob);
  return response(200, { published: members.length });
}

function asProblem({
  problem: code,
  ...extras
}: PortalProblem): Extract<OperationsAnswer, { readonly kind: 'problem' }> {
  const { title, fix } = portalProblems[code];
  const { errors, state, allowed, current, changed, limit, checks, detail } = extras;
  const shown = Object.entries({ errors, state, allowed, current, changed, limit, checks }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    kind: 'problem',
    problem: { code, title, detail: detail ?? fix, ...Object.fromEntries(shown) },
  };
}
