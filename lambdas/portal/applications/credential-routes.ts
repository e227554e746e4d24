/** Developers' routes for an application's credentials, log of calls and usage, each in one environment. */

import type { Environment } from '../../catalog/environments.ts';
import type {
  CallPosition,
  ProvisioningRefusal,
  ProvisioningRequest,
} from '../../clients/provisioning/provisioning-contract.ts';
import { credentialsRequest, environmentName, rotationRequest, stopRequest } from '../api/applications.ts';
import {
  noContent,
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  problem,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import type { CallsView, CredentialsView, RotationView, UsageView } from '../api/views.ts';
import { portalLimits } from '../catalog/limits.ts';
import { allowedActs } from './allowed-acts.ts';
import type { LoadedApplication } from './application.ts';
import { endingMails } from './application-mails.ts';
import type { EnvironmentAnswer, Portal, PreflightServices } from './application-ports.ts';
import { actorOf } from './application-routes.ts';
import { callView } from './evidence.ts';
import { findApplication } from './find-application.ts';
import { ensureClients } from './reconcile-client.ts';
import { runPreflight } from './run-preflight.ts';

type Request<Body = undefined> = PortalRequest<Body>;

type OpenedSecrets = { readonly kind: 'opened'; readonly cookies: readonly string[] } | PortalProblem;

type CredentialServices = PreflightServices &
  Pick<Portal, 'accounts' | 'origin' | 'uuid' | 'sha256'> & {
    /** Checks the password. If it is right, the session may show secrets for a while and gets a new cookie. */
    openSecrets(request: PortalRequest<unknown>, password: string): Promise<OpenedSecrets>;
  };

const dayMs = 24 * 60 * 60 * 1000;
const callsPage = 50;
const callsPageMaximum = 200;

/** Makes the routes for credentials, log of calls and usage of a team's applications. */
export function credentialRoutes(portal: CredentialServices) {
  return {
    credentials: sessionRoute(credentialsRequest, (request) => viewCredentials(portal, request)),
    rotateSecret: sessionRoute(rotationRequest, (request) => rotate(portal, request, 'rotate-secret')),
    rotateKey: sessionRoute(rotationRequest, (request) => rotate(portal, request, 'rotate-key')),
    stopSecret: sessionRoute(stopRequest, (request) => stop(portal, request, 'stop-secret')),
    stopKey: sessionRoute(stopRequest, (request) => stop(portal, request, 'stop-key')),
    calls: sessionRead((request) => calls(portal, request)),
    usage: sessionRead((request) => usage(portal, request)),
  };
}

interface Client {
  readonly kind: 'client';
  readonly loaded: LoadedApplication;
  readonly environment: Environment;
  readonly clientId: string;
}

/** Finds the application's client in the environment that the path names. Production is not found before the application is promoted. */
async function clientOf(
  portal: CredentialServices,
  { session, params }: Request<unknown>,
): Promise<Client | PortalProblem> {
  const environment = environmentName.safeParse(params.environment);
  const wanted = { applicationId: params.applicationId ?? '', teamId: session.teamId };
  const first = environment.success ? await findApplication(portal, wanted) : undefined;
  if (!environment.success || first === undefined) return problem('not_found');
  const isThere = environment.data === 'sandbox' || first.application.production !== undefined;
  if (!isThere) return problem('not_found');
  let loaded = first;
  if (loaded.clients[environment.data] === undefined) {
    if ((await ensureClients(portal, loaded)) !== 'done') return problem('environment_unavailable');
    loaded = (await findApplication(portal, wanted)) ?? loaded;
  }
  const clientId = loaded.clients[environment.data];
  if (clientId !== undefined) return { kind: 'client', loaded, environment: environment.data, clientId };
  // Production has no client as long as values copied from the sandbox are invalid in production.
  return problem('preflight_failed', { checks: await runPreflight(portal, loaded) });
}

/** Checks that the session may show secrets, because its password was entered recently or is sent now. */
async function opened(
  { openSecrets, now }: CredentialServices,
  request: Request<unknown>,
  password: string | undefined,
): Promise<OpenedSecrets> {
  if ((request.session.secretsOpenUntil ?? 0) * 1000 > now()) return { kind: 'opened', cookies: [] };
  return password === undefined ? problem('password_needed') : await openSecrets(request, password);
}

async function viewCredentials(
  portal: CredentialServices,
  request: Request<{ readonly password?: string | undefined }>,
): Promise<PortalResult> {
  const client = await clientOf(portal, request);
  if (client.kind === 'problem') return client;
  const open = await opened(portal, request, request.body.password);
  if (open.kind === 'problem') return open;
  const { loaded, environment, clientId } = client;
  const requestId = portal.uuid();
  const answer = await portal.environments.send(environment, { action: 'credentials', requestId, clientId });
  // The password was right and has rotated the session, so even a refusal must set the new cookie.
  if (answer.kind === 'refusal') return { ...refused(answer.refusal, loaded), cookies: open.cookies };
  if (answer.kind !== 'shown') throw new Error('the environment shows no credentials');
  // The event is written before the secret is sent, so that no view is missing from the timeline.
  await portal.applications.record(
    loaded.application.applicationId,
    { ...eventOf(portal, request, loaded), eventId: requestId, act: 'view_credentials', words: environment },
    [],
  );
  const body: CredentialsView = { environment, ...answer.shown };
  return response(200, body, { cookies: open.cookies });
}

function eventOf(
  portal: CredentialServices,
  { session }: Request<unknown>,
  { application }: LoadedApplication,
) {
  const { kind, name } = actorOf(session);
  return { at: new Date(portal.now()).toISOString(), actor: { kind, name }, state: application.state };
}

async function rotate(
  portal: CredentialServices,
  request: Request<{ readonly requestId: string; readonly overlapSeconds: number }>,
  action: 'rotate-secret' | 'rotate-key',
): Promise<PortalResult> {
  const client = await clientOf(portal, request);
  if (client.kind === 'problem') return client;
  // A rotation returns the new secret, so it needs a password entered recently.
  const open = await opened(portal, request, undefined);
  if (open.kind === 'problem') return open;
  const { loaded, environment, clientId } = client;
  const { overlapSeconds } = request.body;
  const requestId = ownRequestId(portal, client, action, request.body.requestId);
  const answer = await portal.environments.send(environment, {
    action,
    requestId,
    clientId,
    overlapSeconds,
    onlyOneLive: true,
  });
  if (answer.kind === 'refusal') return refused(answer.refusal, loaded);
  if (answer.kind !== 'rotated') throw new Error('the environment has rotated nothing');
  const { clientSecret, subscriptionKey, previousExpiresAt } = answer.rotated;
  if (!loaded.timeline.some(({ eventId }) => eventId === requestId)) {
    const act = action === 'rotate-secret' ? ('rotate_secret' as const) : ('rotate_key' as const);
    await portal.applications.record(
      loaded.application.applicationId,
      { ...eventOf(portal, request, loaded), eventId: requestId, act, words: environment },
      await notices(portal, client, action, previousExpiresAt),
    );
  }
  const body: RotationView = {
    environment,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(subscriptionKey === undefined ? {} : { subscriptionKey }),
    ...(previousExpiresAt === undefined ? {} : { previousExpiresAt }),
  };
  return response(200, body);
}

/** Derives the request ID for the environment from the developer's, so that two teams cannot send the same ID. */
function ownRequestId(portal: CredentialServices, client: Client, action: string, requestId: string): string {
  const { loaded, environment } = client;
  const id = `${loaded.application.applicationId} ${environment} ${action} ${requestId}`;
  return portal.sha256(id).slice(0, 40);
}

/** Ends an older secret or key. The response contains no secret, so no password is needed and a leak can be stopped at once. */
async function stop(
  portal: CredentialServices,
  request: Request<{ readonly requestId: string; readonly createdAt: string }>,
  action: 'stop-secret' | 'stop-key',
): Promise<PortalResult> {
  const client = await clientOf(portal, request);
  if (client.kind === 'problem') return client;
  const { loaded, environment, clientId } = client;
  const { createdAt } = request.body;
  const requestId = ownRequestId(portal, client, action, request.body.requestId);
  const answer = await portal.environments.send(environment, { action, requestId, clientId, createdAt });
  if (answer.kind === 'refusal') return refused(answer.refusal, loaded);
  if (!loaded.timeline.some(({ eventId }) => eventId === requestId)) {
    const act = action === 'stop-secret' ? ('stop_secret' as const) : ('stop_key' as const);
    await portal.applications.record(
      loaded.application.applicationId,
      { ...eventOf(portal, request, loaded), eventId: requestId, act, words: environment },
      [],
    );
  }
  return noContent();
}

/** Makes the mails that warn of the old credential's end; the outbox holds them until shortly before it. */
async function notices(
  { accounts, origin }: CredentialServices,
  { loaded: { application }, environment }: Client,
  action: 'rotate-secret' | 'rotate-key',
  endsAt: string | undefined,
) {
  if (endsAt === undefined) return [];
  const contact = await accounts.contact(application.createdBy);
  const what = action === 'rotate-secret' ? 'client secret' : 'subscription key';
  const notBefore = new Date(Date.parse(endsAt) - portalLimits.expiryNoticeSeconds * 1000).toISOString();
  return endingMails(application, { environment, what, endsAt }, notBefore, contact?.email, origin);
}

/** Form of the cursor: `<milliseconds since 1970>.<request ID>` of the last call on a page. */
const cursorForm = /^(\d{1,15})\.([\w.=-]{1,128})$/;

function positionOf(cursor: string): CallPosition | undefined {
  const [, time, requestId] = cursorForm.exec(cursor) ?? [];
  return time === undefined || requestId === undefined ? undefined : { time: Number(time), requestId };
}

/** Lists calls, newest first. Query parameters: `next`, the cursor in the previous page; `limit`, from 1 to 200. */
async function calls(portal: CredentialServices, request: Request): Promise<PortalResult> {
  const { next, limit = String(callsPage) } = request.query;
  const asked = Number(limit);
  const before = next === undefined ? undefined : positionOf(next);
  const errors = [
    ...(next === undefined || before !== undefined ? [] : [invalid('next', 'the `next` of a page')]),
    ...(/^\d+$/.test(limit) && asked >= 1 && asked <= callsPageMaximum
      ? []
      : [invalid('limit', `a whole number from 1 to ${callsPageMaximum}`)]),
  ];
  if (errors.length > 0) return problem('invalid_request', { errors });
  const client = await clientOf(portal, request);
  if (client.kind === 'problem') return client;
  const from = portal.now() - portalLimits.callLogDays * dayMs;
  // The log keeps no calls older than `from`.
  if (before !== undefined && before.time < from) return response(200, { calls: [] } satisfies CallsView);
  const { environment, clientId } = client;
  const answer = await portal.environments.send(environment, {
    action: 'calls',
    clientId,
    from,
    to: portal.now() + 1,
    ...(before === undefined ? {} : { before }),
    limit: asked,
  });
  if (answer.kind === 'refusal') return refused(answer.refusal, client.loaded);
  if (answer.kind !== 'calls') throw new Error('the environment tells no calls');
  const body: CallsView = {
    calls: answer.calls.map(callView),
    ...(answer.next === undefined ? {} : { next: `${answer.next.time}.${answer.next.requestId}` }),
  };
  return response(200, body);
}

function invalid(name: string, expected: string) {
  return { pointer: `/${name}`, code: 'invalid' as const, expected };
}

async function usage(portal: CredentialServices, request: Request): Promise<PortalResult> {
  const client = await clientOf(portal, request);
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

/** Converts an environment's refusal to the portal's problem. */
function refused(
  refusal: Extract<EnvironmentAnswer, { readonly kind: 'refusal' }>['refusal'] | ProvisioningRefusal,
  { application }: LoadedApplication,
): PortalProblem {
  switch (refusal.code) {
    case 'environment_unavailable':
      return problem('environment_unavailable');
    case 'too_many_credentials':
      return problem('too_many_credentials');
    case 'state_conflict':
      return problem('state_conflict', {
        state: application.state,
        allowed: allowedActs(application, 'developer'),
      });
    case 'invalid_request':
      return problem('invalid_request', {
        errors: refusal.issues.map(({ path, message }) =>
          invalid(['requestId', 'createdAt'].includes(path) ? path : '', message),
        ),
      });
    case 'client_not_found':
      throw new Error('the environment does not know a client it has given');
  }
}
