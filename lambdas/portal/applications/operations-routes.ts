/** Operators' routes for applications: the queue, lists, details and decisions. */

import { type ApplicationDecision, applicationDecision } from '../api/operations.ts';
import type { OperatorAccountView, OperatorApplicationView, QueueItem } from '../api/operator-views.ts';
import {
  type PortalProblem,
  type PortalResult,
  type PortalRouteHandler,
  problem,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import type { CallView } from '../api/views.ts';
import { type ApplicationState, applicationStateNames } from '../catalog/application-states.ts';
import { portalLimits } from '../catalog/limits.ts';
import { savedUnread } from './act-commit.ts';
import { type Actor, awaitedConfiguration, type LoadedApplication } from './application.ts';
import type { Portal, QueuedItem } from './application-ports.ts';
import { actorOf } from './application-routes.ts';
import { applicationView } from './application-view.ts';
import { decisionProblem } from './decision-problem.ts';
import { decisionExpectedBy } from './decision-time.ts';
import { differences } from './difference.ts';
import { callView } from './evidence.ts';
import { executeCommand } from './execute-command.ts';
import { findApplication } from './find-application.ts';
import { isLeftToAnother, ownActOf, ownActOn } from './other-operator.ts';
import { runPreflight } from './run-preflight.ts';

/** Makes the operators' routes for applications: queue, lists, details and decisions. */
export function operationsRoutes(portal: Portal) {
  return {
    queue: sessionRead(async ({ session }) => {
      const queued = await portal.applications.queue();
      return response(200, { items: queued.map((item) => queueItem(portal, item, actorOf(session))) });
    }),
    ownActs: sessionRead(async ({ session, query }) => await ownActs(portal, session.accountId, query.after)),
    operatorApplications: sessionRead(({ query }) => list(portal, query)),
    operatorApplication: sessionRead(async ({ params, session }) => {
      const loaded = await findApplication(portal, { applicationId: params.applicationId ?? '' });
      if (loaded === undefined) return problem('not_found');
      return response(200, await operatorView(portal, loaded, actorOf(session)));
    }),
    decideApplication: sessionRoute(applicationDecision, ({ session, params, body }) =>
      decideApplication(portal, params.applicationId ?? '', body, actorOf(session)),
    ),
  } satisfies Readonly<Record<string, PortalRouteHandler>>;
}

async function ownActs(portal: Portal, operatorId: string, after: string | undefined): Promise<PortalResult> {
  if (after !== undefined && !/^ACT#[\w:.#-]{1,200}$/.test(after)) {
    const expected = '`next` of the page before';
    return problem('invalid_request', { errors: [{ pointer: '/after', code: 'invalid', expected }] });
  }
  return response(200, await portal.applications.actsOf(operatorId, after));
}

/** Makes the entry of the queue that an operator sees. */
function queueItem(portal: Portal, queued: QueuedItem, by: Actor): QueueItem {
  const { rejectedBy, approverId, ...item } = queued;
  const ownAct = ownActOf(portal, by, { rejectedBy, approverId });
  return {
    ...item,
    expectedBy: decisionExpectedBy(item.since),
    ...(ownAct !== undefined && { ownAct }),
  };
}

/** Lists the applications of a state, of a team, or all. */
async function list(
  portal: Portal,
  { state, team }: Readonly<Record<string, string>>,
): Promise<PortalResult> {
  const wanted =
    state === undefined ? applicationStateNames : applicationStateNames.filter((it) => it === state);
  if (wanted.length === 0) {
    const expected = `one of ${applicationStateNames.join(', ')}`;
    return problem('invalid_request', { errors: [{ pointer: '/state', code: 'invalid', expected }] });
  }
  const found =
    team === undefined
      ? await Promise.all(wanted.map((it: ApplicationState) => portal.applications.inState(it)))
      : (await portal.applications.ofTeam(team)).filter((one) => wanted.includes(one.state));
  const applications = found.flat().sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  return response(200, { applications });
}

/** Decides about an application. @param dryRun check only: nothing is written. */
export async function decideApplication(
  portal: Portal,
  applicationId: string,
  decision: ApplicationDecision,
  by: Actor,
  dryRun = false,
): Promise<PortalResult> {
  const refusal = decisionProblem(decision);
  if (refusal !== undefined) return refusal;
  const result = await executeCommand(portal, { ...decision, applicationId, by, dryRun });
  if (result.kind === 'problem') return await forOperator(portal, applicationId, result, by);
  // The decision is written: if the view can't be read, the decision still succeeded.
  const view = await operatorView(portal, result.loaded, by).catch(() => undefined);
  if (view === undefined) return savedUnread;
  return result.awaitsSecond ? problem('four_eyes', { current: view }) : response(200, view);
}

/** Shows the present version of a refused decision as operators see it. */
async function forOperator(
  portal: Portal,
  applicationId: string,
  refusal: PortalProblem,
  by: Actor,
): Promise<PortalProblem> {
  if (refusal.current === undefined) return refusal;
  const loaded = await findApplication(portal, { applicationId }).catch(() => undefined);
  const current = loaded && (await operatorView(portal, loaded, by).catch(() => undefined));
  return current === undefined ? refusal : { ...refusal, current };
}

const shownCalls = 20;
const callLogMs = portalLimits.callLogDays * 24 * 60 * 60 * 1000;

/** Makes the operator's view of an application, with everything a decision needs. Sandbox calls that cannot be read now are left out. */
export async function operatorView(
  portal: Portal,
  loaded: LoadedApplication,
  by: Actor,
): Promise<OperatorApplicationView> {
  const { application } = loaded;
  const [developer, preflight, sandboxCalls] = await Promise.all([
    portal.accounts.view(application.createdBy),
    runPreflight(portal, loaded, 'operator'),
    callsOf(portal, loaded.clients.sandbox),
  ]);
  const view = applicationView(loaded, 'operator');
  const ownAct = ownActOn(portal, application, by);
  return {
    ...view,
    allowed: view.allowed.filter((act) => !isLeftToAnother(ownAct, act)),
    developer: developer ?? gone(application.createdBy, application.teamId),
    preflight,
    sandboxDifference: differences(application.sandbox, awaitedConfiguration(application)),
    sandboxCalls,
    ...(application.firstApproval === undefined ? {} : { approvedBy: application.firstApproval.name }),
    ...(ownAct !== undefined && { ownAct }),
  };
}

async function callsOf(portal: Portal, clientId: string | undefined): Promise<readonly CallView[]> {
  if (clientId === undefined) return [];
  const to = portal.now() + 1;
  const answer = await portal.environments.send('sandbox', {
    action: 'calls',
    clientId,
    from: Math.max(0, to - callLogMs),
    to,
    limit: shownCalls,
  });
  return answer.kind === 'calls' ? answer.calls.map(callView) : [];
}

/** Makes the view of an account whose item no longer exists. */
function gone(accountId: string, teamId: string): OperatorAccountView {
  return {
    accountId,
    version: 1,
    state: 'closed',
    nextStep: 'none',
    role: 'developer',
    firstName: '',
    lastName: '',
    email: '',
    company: '',
    teamId,
    createdAt: '',
    signUp: {},
    timeline: [],
  };
}
