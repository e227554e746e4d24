/** Developers' routes for applications: register, edit, promote, submit, change and withdraw. */

import type { Environment } from '../../catalog/environments.ts';
import {
  appealRequest,
  attestationRequest,
  configurationRequest,
  promoteRequest,
  registerRequest,
  versionRequest,
} from '../api/application-requests.ts';
import type { ApplicationConfiguration } from '../api/applications.ts';
import {
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  type PortalSession,
  problem,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import { portalLimits } from '../catalog/limits.ts';
import { actCommit, savedUnread } from './act-commit.ts';
import { isEnded } from './allowed-acts.ts';
import type { Actor, LoadedApplication } from './application.ts';
import type { Portal } from './application-ports.ts';
import { applicationView } from './application-view.ts';
import { type RequestedAct, registration } from './apply-act.ts';
import { configurationProblem } from './configuration-problem.ts';
import { differences } from './difference.ts';
import { untestedProducts } from './evidence.ts';
import { executeCommand } from './execute-command.ts';
import { findApplication } from './find-application.ts';
import { preflightLimit } from './preconditions.ts';
import { readEvidence } from './read-evidence.ts';
import { checkedConfiguration, termsOf } from './registration.ts';
import { runPreflight } from './run-preflight.ts';

type Request<Body = undefined> = PortalRequest<Body>;
type Versioned = { readonly version: number };

/** The actor of a session, as the timeline shows it. */
export function actorOf(session: PortalSession): Actor {
  return { kind: session.role, accountId: session.accountId, name: session.name };
}

/** Makes the developers' routes for the applications of their team. */
export function applicationRoutes(portal: Portal) {
  return {
    applications: sessionRead(async ({ session }) => {
      const all = await portal.applications.ofTeam(session.teamId);
      const applications = [...all].sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
      return response(200, { applications });
    }),
    registerApplication: sessionRoute(registerRequest, (request) => register(portal, request)),
    application: sessionRead(async (request) => {
      const loaded = await findApplication(portal, targetOf(request));
      return loaded === undefined ? problem('not_found') : shown(await withNewEvidence(portal, loaded));
    }),
    updateSandbox: sessionRoute(configurationRequest, (request) =>
      edit(portal, request, 'sandbox', 'edit_sandbox'),
    ),
    promote: sessionRoute(promoteRequest, (request) => promote(portal, request)),
    updateProduction: sessionRoute(configurationRequest, (request) =>
      edit(portal, request, 'production', 'edit_production'),
    ),
    preflight: sessionRead(async (request) => {
      const loaded = await findApplication(portal, targetOf(request));
      if (loaded === undefined) return problem('not_found');
      const tooMany = await preflightLimit(portal, request.session.teamId);
      return tooMany ?? response(200, { checks: await runPreflight(portal, loaded) });
    }),
    submit: sessionRoute(versionRequest, (request) => execute(portal, request, { act: 'submit' })),
    recall: sessionRoute(versionRequest, (request) => execute(portal, request, { act: 'recall' })),
    appeal: sessionRoute(appealRequest, (request) =>
      execute(portal, request, { act: 'appeal', words: request.body.words }),
    ),
    withdraw: sessionRoute(versionRequest, (request) => execute(portal, request, { act: 'withdraw' })),
    proposeChange: sessionRoute(configurationRequest, (request) =>
      edit(portal, request, 'production', 'propose_change'),
    ),
    submitChange: sessionRoute(versionRequest, (request) =>
      execute(portal, request, { act: 'submit_change' }),
    ),
    discardChange: sessionRead((request) => execute(portal, request, { act: 'discard_change' })),
    attest: sessionRoute(attestationRequest, (request) =>
      execute(portal, request, { act: 'attest', textVersion: request.body.textVersion }),
    ),
  };
}

function targetOf({ session, params }: Request<unknown>) {
  return { applicationId: params.applicationId ?? '', teamId: session.teamId };
}

function shown(loaded: LoadedApplication): PortalResult {
  return response(200, applicationView(loaded, 'developer'));
}

/** Executes an act on an application of the team, and returns the application after it. */
async function execute(
  portal: Portal,
  request: Request<Versioned | undefined>,
  requested: RequestedAct,
): Promise<PortalResult> {
  const { session, body } = request;
  const version = body === undefined ? {} : { version: body.version };
  const command = { ...requested, ...targetOf(request), ...version, by: actorOf(session) };
  const result = await executeCommand(portal, command);
  return result.kind === 'problem' ? result : shown(result.loaded);
}

/**
 * Makes the ID of a new application. For a draft the ID is derived from the draft's, so that sending the draft again, after a lost answer
 * or from another tab, does not register a second application.
 */
function newApplicationId(
  { uuid, sha256 }: Portal,
  { accountId, teamId }: PortalSession,
  draftId: string | undefined,
): string {
  if (draftId === undefined) return uuid();
  const hex = sha256(`application ${teamId} ${accountId} ${draftId}`);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

/**
 * Registers an application. Writes the application before calling the environment; if the environment is not available, the outbox repeats
 * the call.
 */
async function register(
  portal: Portal,
  { body, session }: Request<{ readonly configuration: unknown; readonly draftId?: string | undefined }>,
): Promise<PortalResult> {
  const read = checkedConfiguration(body.configuration, 'sandbox', termsOf(portal, 'sandbox'));
  if (read.kind === 'issues') return configurationProblem(read.issues, body.configuration);
  const { accountId, teamId } = session;
  const applicationId = newApplicationId(portal, session, body.draftId);
  const moment = { by: actorOf(session), at: new Date(portal.now()).toISOString() };
  const { configuration } = read;
  const transition = registration({ applicationId, teamId, configuration }, moment);
  const ends = body.draftId === undefined ? {} : { draft: { accountId, draftId: body.draftId } };
  const ids = await portal.applications.commit(
    await actCommit(portal, moment.by, undefined, transition, ends),
  );
  if (ids === undefined) {
    const before = await portal.applications.load(applicationId);
    return before === undefined
      ? await registrationRefusal(portal, teamId)
      : registeredBefore(before, configuration);
  }
  await portal.outbox.carryOut(ids).catch(() => undefined);
  const loaded = await portal.applications.load(applicationId).catch(() => undefined);
  if (loaded === undefined) return savedUnread;
  return response(201, applicationView(loaded, 'developer'));
}

/**
 * Answers the repeated registration of a draft: with the registered application if the values are the same, and otherwise with a conflict.
 */
function registeredBefore(loaded: LoadedApplication, sent: ApplicationConfiguration): PortalResult {
  const view = applicationView(loaded, 'developer');
  const changed = differences(loaded.application.sandbox, sent).map(({ field }) => field);
  if (changed.length === 0) return response(201, view);
  const detail =
    'This draft was already registered with other values. Nothing was changed. Edit the application instead.';
  return problem('stale_version', { detail, current: view, changed });
}

/**
 * Makes the refusal of a registration with a new ID. The write fails only if the team has no room, or the developer was removed from the
 * team meanwhile.
 */
async function registrationRefusal({ applications }: Portal, teamId: string): Promise<PortalProblem> {
  const limit = portalLimits.applicationsPerTeam;
  const goOn = (await applications.ofTeam(teamId)).filter(({ state }) => !isEnded(state));
  return goOn.length >= limit ? problem('limit_reached', { limit }) : problem('unavailable');
}

/** Replaces the configuration of one environment. */
async function edit(
  portal: Portal,
  request: Request<Versioned & { readonly configuration?: unknown }>,
  environment: Environment,
  act: 'edit_sandbox' | 'edit_production' | 'propose_change',
): Promise<PortalResult> {
  const { configuration } = request.body;
  const read = checkedConfiguration(configuration, environment, termsOf(portal, environment));
  if (read.kind === 'issues') return configurationProblem(read.issues, configuration);
  return await execute(portal, request, { act, configuration: read.configuration });
}

async function promote(
  portal: Portal,
  request: Request<Versioned & { readonly configuration?: unknown }>,
): Promise<PortalResult> {
  const { configuration } = request.body;
  if (configuration === undefined) return await execute(portal, request, { act: 'promote' });
  const read = checkedConfiguration(configuration, 'production', termsOf(portal, 'production'));
  if (read.kind === 'issues') return configurationProblem(read.issues, configuration);
  return await execute(portal, request, { act: 'promote', configuration: read.configuration });
}

/** Adds evidence from recent sandbox calls, while the application's products are still to be tested. */
async function withNewEvidence(portal: Portal, loaded: LoadedApplication): Promise<LoadedApplication> {
  const { application, evidence } = loaded;
  if (application.state !== 'registered_in_sandbox') return loaded;
  if (untestedProducts(application.sandbox, evidence).length === 0) return loaded;
  return { ...loaded, evidence: (await readEvidence(portal, loaded, application.sandbox)).evidence };
}
