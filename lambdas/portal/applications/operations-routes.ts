import {
  type PortalAnswer,
  type PortalProblem,
  type PortalRouteHandler,
  sessionRead,
  sessionRoute,
} from '../api/exchange.ts';
import { type ApplicationDecision, applicationDecision } from '../api/operations.ts';
import type { CallView, OperatorAccountView, OperatorApplicationView } from '../api/views.ts';
import { type ApplicationState, applicationStateNames } from '../catalog/applications.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { Actor, LoadedApplication } from './application.ts';
import { actorOf } from './application-routes.ts';
import { applicationView } from './application-view.ts';
import { carryOutAct, find, savedUnread } from './carry-out-act.ts';
import { decided, decisionProblem } from './decisions.ts';
import { differences } from './difference.ts';
import { callView } from './evidence.ts';
import type { Portal } from './ports.ts';
import { candidate, runPreflight } from './run-preflight.ts';

/** What an operator sees of applications and decides about them. The accounts' routes are their own domain's. */
export function operationsRoutes(portal: Portal) {
  return {
    queue: sessionRead(async () => ({ status: 200, body: { items: await portal.applications.queue() } })),
    operatorApplications: sessionRead(({ query }) => list(portal, query)),
    operatorApplication: sessionRead(async ({ params }) => {
      const loaded = await find(portal, { applicationId: params.applicationId ?? '' });
      return loaded === undefined
        ? { problem: 'not_found' }
        : { status: 200, body: await operatorView(portal, loaded) };
    }),
    decideApplication: sessionRoute(applicationDecision, ({ session, params, body }) =>
      decideApplication(portal, params.applicationId ?? '', body, actorOf(session)),
    ),
  } satisfies Readonly<Record<string, PortalRouteHandler>>;
}

/** Of a state, of a team, or all. */
async function list(
  portal: Portal,
  { state, team }: Readonly<Record<string, string>>,
): Promise<PortalAnswer> {
  const wanted =
    state === undefined ? applicationStateNames : applicationStateNames.filter((it) => it === state);
  if (wanted.length === 0) {
    const expected = `one of ${applicationStateNames.join(', ')}`;
    return { problem: 'invalid_request', errors: [{ pointer: '/state', code: 'invalid', expected }] };
  }
  const found =
    team === undefined
      ? await Promise.all(wanted.map((it: ApplicationState) => portal.applications.inState(it)))
      : (await portal.applications.ofTeam(team)).filter((one) => wanted.includes(one.state));
  const applications = found.flat().sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  return { status: 200, body: { applications } };
}

/** @param dryRun only look whether it could be decided so. */
export async function decideApplication(
  portal: Portal,
  applicationId: string,
  decision: ApplicationDecision,
  by: Actor,
  dryRun = false,
): Promise<PortalAnswer> {
  const problem = decisionProblem(decision);
  if (problem !== undefined) return problem;
  let awaitsSecond = false;
  const carried = await carryOutAct(portal, {
    applicationId,
    version: decision.version,
    by,
    dryRun,
    decide: ({ application }, at) => {
      const outcome = decided(portal, application, decision, { by, at });
      awaitsSecond = outcome.awaitsSecond;
      return outcome.stepped;
    },
  });
  if ('problem' in carried) return await forOperator(portal, applicationId, carried);
  // The decision is written: a failure to read what is shown beside it is no failure of the decision.
  const view = await operatorView(portal, carried.loaded).catch(() => undefined);
  if (view === undefined) return savedUnread;
  // Kept, and said in the words of the table: somebody else confirms it.
  return awaitsSecond ? { problem: 'four_eyes', current: view } : { status: 200, body: view };
}

/** What was changed meanwhile is shown as operators see it. */
async function forOperator(
  portal: Portal,
  applicationId: string,
  problem: PortalProblem,
): Promise<PortalProblem> {
  if (problem.current === undefined) return problem;
  const loaded = await find(portal, { applicationId }).catch(() => undefined);
  const current = loaded && (await operatorView(portal, loaded).catch(() => undefined));
  return current === undefined ? problem : { ...problem, current };
}

const shownCalls = 20;
const callLogMs = portalLimits.callLogDays * 24 * 60 * 60 * 1000;

/** Everything a decision needs, on one screen. What can't be had right now (calls, addresses) is left out, not waited for. */
export async function operatorView(
  portal: Portal,
  loaded: LoadedApplication,
): Promise<OperatorApplicationView> {
  const { application } = loaded;
  const [developer, preflight, sandboxCalls] = await Promise.all([
    portal.accounts.view(application.createdBy),
    runPreflight(portal, loaded, 'operator'),
    callsOf(portal, loaded.clients.sandbox),
  ]);
  const view = applicationView(loaded, 'operator');
  return {
    ...view,
    developer: developer ?? gone(application.createdBy, application.teamId),
    preflight,
    sandboxDifference: differences(application.sandbox, candidate(loaded)),
    sandboxCalls,
    ...(application.firstApproval === undefined ? {} : { approvedBy: application.firstApproval.name }),
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
  return answer.ok && 'calls' in answer ? answer.calls.map(callView) : [];
}

/** An account whose item is no longer there. */
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
