/** Developers' routes for an application's credentials in one environment. */

import { credentialsRequest, rotationRequest, stopRequest } from '../api/application-requests.ts';
import {
  noContent,
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  problem,
  response,
  sessionRoute,
} from '../api/route-handler.ts';
import type { CredentialsView, RotationView } from '../api/views.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { LoadedApplication } from './application.ts';
import { endingMails } from './application-mails.ts';
import type { Portal, PreflightServices } from './application-ports.ts';
import { actorOf } from './application-routes.ts';
import { clientInEnvironment, type EnvironmentClient, refused } from './environment-client.ts';

type Request<Body = undefined> = PortalRequest<Body>;

type OpenedSecrets = { readonly kind: 'opened'; readonly cookies: readonly string[] } | PortalProblem;

type CredentialServices = PreflightServices &
  Pick<Portal, 'accounts' | 'origin' | 'uuid' | 'sha256'> & {
    /** Checks the password. If it is right, the session may show secrets for a while and gets a new cookie. */
    openSecrets(request: PortalRequest<unknown>, password: string): Promise<OpenedSecrets>;
  };

/** Makes the routes for credentials of a team's applications. */
export function credentialRoutes(portal: CredentialServices) {
  return {
    credentials: sessionRoute(credentialsRequest, (request) => viewCredentials(portal, request)),
    rotateSecret: sessionRoute(rotationRequest, (request) => rotate(portal, request, 'rotate-secret')),
    rotateKey: sessionRoute(rotationRequest, (request) => rotate(portal, request, 'rotate-key')),
    stopSecret: sessionRoute(stopRequest, (request) => stop(portal, request, 'stop-secret')),
    stopKey: sessionRoute(stopRequest, (request) => stop(portal, request, 'stop-key')),
  };
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
  const client = await clientInEnvironment(portal, request);
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
  const client = await clientInEnvironment(portal, request);
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
function ownRequestId(
  portal: CredentialServices,
  client: EnvironmentClient,
  action: string,
  requestId: string,
): string {
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
  const client = await clientInEnvironment(portal, request);
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
  { loaded: { application }, environment }: EnvironmentClient,
  action: 'rotate-secret' | 'rotate-key',
  endsAt: string | undefined,
) {
  if (endsAt === undefined) return [];
  const contact = await accounts.contact(application.createdBy);
  const what = action === 'rotate-secret' ? 'client secret' : 'subscription key';
  const notBefore = new Date(Date.parse(endsAt) - portalLimits.expiryNoticeSeconds * 1000).toISOString();
  return endingMails(application, { environment, what, endsAt }, notBefore, contact?.email, origin);
}
