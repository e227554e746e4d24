import type { Environment } from '../../catalog/environments.ts';
import {
  type ApplicationConfiguration,
  appealRequest,
  attestationRequest,
  configurationRequest,
  type FieldIssue,
  promoteRequest,
  registerRequest,
  versionRequest,
} from '../api/applications.ts';
import {
  type PortalAnswer,
  type PortalProblem,
  type PortalRequest,
  type PortalSession,
  sessionRead,
  sessionRoute,
} from '../api/exchange.ts';
import { attestation as attestationText } from '../catalog/agreements.ts';
import { portalLimits } from '../catalog/limits.ts';
import * as acts from './acts.ts';
import { isEnded } from './allowed-acts.ts';
import type { Actor, Application, LoadedApplication } from './application.ts';
import { actMails } from './application-mails.ts';
import { applicationView } from './application-view.ts';
import { carryOutAct, find, provisioningOf, savedUnread, type Wish } from './carry-out-act.ts';
import { configurationProblem } from './configuration-problem.ts';
import { differences } from './difference.ts';
import { termsOf } from './environment-client.ts';
import { unproven } from './evidence.ts';
import type { Portal } from './ports.ts';
import { hasBlocker } from './preflight.ts';
import { readEvidence } from './read-evidence.ts';
import { checkedConfiguration, kindIssues } from './registration.ts';
import { runPreflight } from './run-preflight.ts';

type Request<Body = undefined> = PortalRequest<Body>;
type Decide = Wish['decide'];

export function actorOf(session: PortalSession): Actor {
  return { kind: session.role, accountId: session.accountId, name: session.name };
}

/** What a developer does with the applications of the team. */
export function applicationRoutes(portal: Portal) {
  return {
    applications: sessionRead(async ({ session }) => {
      const all = await portal.applications.ofTeam(session.teamId);
      const applications = [...all].sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
      return { status: 200, body: { applications } };
    }),
    registerApplication: sessionRoute(registerRequest, (request) => register(portal, request)),
    application: sessionRead(async ({ session, params }) => {
      const loaded = await find(portal, {
        applicationId: params.applicationId ?? '',
        teamId: session.teamId,
      });
      return loaded === undefined ? { problem: 'not_found' } : shown(await tried(portal, loaded));
    }),
    updateSandbox: sessionRoute(configurationRequest, (request) =>
      edit(portal, request, 'sandbox', acts.editSandbox, ({ sandbox }) => sandbox),
    ),
    promote: sessionRoute(promoteRequest, (request) => promote(portal, request)),
    updateProduction: sessionRoute(configurationRequest, (request) =>
      edit(portal, request, 'production', acts.editProduction, ({ production }) => production),
    ),
    preflight: sessionRead(async ({ session, params }) => {
      const loaded = await find(portal, {
        applicationId: params.applicationId ?? '',
        teamId: session.teamId,
      });
      if (loaded === undefined) return { problem: 'not_found' };
      const tooMany = await preflightLimit(portal, session);
      if (tooMany !== undefined) return tooMany;
      return { status: 200, body: { checks: await runPreflight(portal, loaded) } };
    }),
    submit: sessionRoute(versionRequest, (request) =>
      act(portal, request, submission(portal, request, acts.submit)),
    ),
    recall: sessionRoute(versionRequest, (request) =>
      act(portal, request, ({ application }, at) => acts.recall(application, momentOf(request, at))),
    ),
    appeal: sessionRoute(appealRequest, (request) =>
      act(portal, request, ({ application }, at) =>
        acts.appeal(application, request.body.words, momentOf(request, at)),
      ),
    ),
    withdraw: sessionRoute(versionRequest, (request) =>
      act(portal, request, ({ application }, at) => acts.withdraw(application, momentOf(request, at))),
    ),
    proposeChange: sessionRoute(configurationRequest, (request) =>
      edit(
        portal,
        request,
        'production',
        acts.proposeChange,
        ({ approved, change }) => change ?? approved?.configuration,
      ),
    ),
    submitChange: sessionRoute(versionRequest, (request) =>
      act(portal, request, submission(portal, request, acts.submitChange)),
    ),
    discardChange: sessionRead((request) =>
      carried(portal, request, {
        decide: ({ application }, at) => acts.discardChange(application, momentOf(request, at)),
      }),
    ),
    attest: sessionRoute(attestationRequest, (request) =>
      act(portal, request, ({ application }, at) => {
        const stepped = acts.attest(application, momentOf(request, at));
        if ('problem' in stepped || request.body.textVersion === attestationText.version) return stepped;
        return { problem: 'terms_outdated', version: attestationText.version };
      }),
    ),
  };
}

function momentOf({ session }: Request<unknown>, at: string): acts.Moment {
  return { by: actorOf(session), at };
}

function shown(loaded: LoadedApplication): PortalAnswer {
  return { status: 200, body: applicationView(loaded, 'developer') };
}

/** Carries an act of the team out and answers with what the application is then. */
async function carried(
  portal: Portal,
  { session, params }: Request<unknown>,
  wish: Pick<Wish, 'version' | 'decide' | 'changed'>,
): Promise<PortalAnswer> {
  const result = await carryOutAct(portal, {
    applicationId: params.applicationId ?? '',
    teamId: session.teamId,
    by: actorOf(session),
    ...wish,
  });
  return 'problem' in result ? result : shown(result.loaded);
}

async function act(
  portal: Portal,
  request: Request<{ readonly version: number }>,
  decide: Decide,
): Promise<PortalAnswer> {
  return await carried(portal, request, { version: request.body.version, decide });
}

/**
 * The id of a new application. One that is registered from a draft is named after it, so that sending the draft again, after a lost answer
 * or from another tab, registers nothing twice.
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

/** The record is there before the environment is asked: what it can't answer now, the outbox asks again. */
async function register(
  portal: Portal,
  { body, session }: Request<{ readonly configuration: unknown; readonly draftId?: string | undefined }>,
): Promise<PortalAnswer> {
  const read = checkedConfiguration(body.configuration, 'sandbox', termsOf(portal, 'sandbox'));
  if (!read.ok) return configurationProblem(read.issues, body.configuration);
  const { accountId, teamId } = session;
  const applicationId = newApplicationId(portal, session, body.draftId);
  const moment = { by: actorOf(session), at: new Date(portal.now()).toISOString() };
  const { configuration } = read;
  const step = acts.register({ applicationId, teamId, configuration }, moment);
  const contact = await portal.accounts.contact(accountId);
  const ids = await portal.applications.commit({
    ...step,
    event: { ...step.event, by: moment.by },
    company: contact?.company ?? '',
    mails: actMails(step.after, step.event, contact?.email, portal.origin),
    provisioning: provisioningOf(portal, undefined, step.after),
    ...(body.draftId === undefined ? {} : { draft: { accountId, draftId: body.draftId } }),
  });
  if (ids === undefined) {
    const before = await portal.applications.load(applicationId);
    return before === undefined
      ? await notRegistered(portal, teamId)
      : registeredBefore(before, configuration);
  }
  await portal.outbox.carryOut(ids).catch(() => undefined);
  const loaded = await portal.applications.load(applicationId).catch(() => undefined);
  if (loaded === undefined) return savedUnread;
  return { status: 201, body: applicationView(loaded, 'developer') };
}

/** What a draft that was sent before is answered with: the same again, or that another tab sent other values. */
function registeredBefore(loaded: LoadedApplication, sent: ApplicationConfiguration): PortalAnswer {
  const view = applicationView(loaded, 'developer');
  const changed = changedFields(loaded.application.sandbox, sent);
  if (changed.length === 0) return { status: 201, body: view };
  const detail =
    'This draft was registered before, with other values. Nothing was changed: edit the application instead.';
  return { problem: 'stale_version', detail, current: view, changed };
}

/** Its id is new, so that all it can lack is room in its team, or the team: whoever was removed from it meanwhile has another. */
async function notRegistered({ applications }: Portal, teamId: string): Promise<PortalProblem> {
  const limit = portalLimits.applicationsPerTeam;
  const goOn = (await applications.ofTeam(teamId)).filter(({ state }) => !isEnded(state));
  return goOn.length >= limit ? { problem: 'limit_reached', limit } : { problem: 'unavailable' };
}

/** Puts a configuration in the place of another one of the same environment. */
async function edit(
  portal: Portal,
  request: Request<{ readonly version: number; readonly configuration?: unknown }>,
  environment: Environment,
  edited: typeof acts.editSandbox,
  present: (application: Application) => ApplicationConfiguration | undefined,
): Promise<PortalAnswer> {
  const { version, configuration } = request.body;
  const read = checkedConfiguration(configuration, environment, termsOf(portal, environment));
  if (!read.ok) return configurationProblem(read.issues, configuration);
  return await carried(portal, request, {
    version,
    changed: (application) => changedFields(present(application), read.configuration),
    decide: ({ application }, at) => {
      const stepped = edited(application, read.configuration, momentOf(request, at));
      const before = present(application);
      const issues: readonly FieldIssue[] =
        before === undefined ? [] : kindIssues(before, read.configuration);
      return 'problem' in stepped || issues.length === 0
        ? stepped
        : configurationProblem(issues, configuration);
    },
  });
}

function changedFields(
  present: ApplicationConfiguration | undefined,
  sent: ApplicationConfiguration,
): readonly string[] {
  return present === undefined ? [] : differences(present, sent).map(({ field }) => field);
}

async function promote(
  portal: Portal,
  request: Request<{ readonly version: number; readonly configuration?: unknown }>,
): Promise<PortalAnswer> {
  const { version, configuration } = request.body;
  const read =
    configuration === undefined
      ? undefined
      : checkedConfiguration(configuration, 'production', termsOf(portal, 'production'));
  if (read?.ok === false) return configurationProblem(read.issues, configuration);
  return await carried(portal, request, {
    version,
    decide: async (loaded, at) => {
      const { sandbox } = loaded.application;
      const production = read?.ok === true ? read.configuration : sandbox;
      const stepped = acts.promote(loaded.application, production, momentOf(request, at));
      if ('problem' in stepped) return stepped;
      // Tested is what the sandbox's values name: production's may differ, and the pre-flight tells.
      const { evidence, away } = await readEvidence(portal, loaded, sandbox);
      if (unproven(sandbox, evidence).length === 0) return stepped;
      return away ? { problem: 'environment_unavailable' } : await untested(portal, loaded);
    },
  });
}

/** While an application is tried out, its page says what was seen by now: the call was made a moment ago. */
async function tried(portal: Portal, loaded: LoadedApplication): Promise<LoadedApplication> {
  const { application, evidence } = loaded;
  if (application.state !== 'registered_in_sandbox') return loaded;
  if (unproven(application.sandbox, evidence).length === 0) return loaded;
  return { ...loaded, evidence: (await readEvidence(portal, loaded, application.sandbox)).evidence };
}

async function untested(portal: Portal, loaded: LoadedApplication): Promise<PortalProblem> {
  const reloaded = (await portal.applications.load(loaded.application.applicationId)) ?? loaded;
  const checks = await runPreflight(portal, reloaded);
  return { problem: 'preflight_failed', checks: checks.filter(({ id }) => id.startsWith('evidence-')) };
}

/** A pre-flight calls addresses somebody typed: a team that asks for it all the time would make us call them all the time. */
async function preflightLimit(
  { preflights }: Portal,
  { teamId }: PortalSession,
): Promise<PortalProblem | undefined> {
  const { allowed, retryAfterSeconds } = await preflights.count(teamId);
  return allowed ? undefined : { problem: 'too_many_requests', retryAfter: retryAfterSeconds };
}

/** A submission passes the pre-flight, without anything that must be done first. */
function submission(
  portal: Portal,
  request: Request<unknown>,
  submitted: (application: Application, moment: acts.Moment) => acts.Stepped,
): Decide {
  return async (loaded, at) => {
    const stepped = submitted(loaded.application, momentOf(request, at));
    if ('problem' in stepped) return stepped;
    const tooMany = await preflightLimit(portal, request.session);
    if (tooMany !== undefined) return tooMany;
    const checks = await runPreflight(portal, loaded);
    return hasBlocker(checks) ? { problem: 'preflight_failed', checks } : stepped;
  };
}
