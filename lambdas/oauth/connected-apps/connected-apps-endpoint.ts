import { memberIssuer } from '../../catalog/addresses.ts';
import { type DataGroup, dataGroups } from '../../catalog/data-groups.ts';
import { bindingCookie, createBinding, interactionIdOf, isSameOrigin } from '../authorize/browser-binding.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from '../authorize/browser-request.ts';
import { endSsoSession } from '../authorize/browser-sso-session.ts';
import { connectedAppsClientId } from '../authorize/complete-sign-in.ts';
import { requestedGroups } from '../authorize/consent-decision.ts';
import { signInResponse } from '../authorize/sign-in-endpoint.ts';
import { applicationOf } from '../pages/application.ts';
import {
  type ConnectedAppView,
  connectedAppsPage,
  type GotView,
  historyPage,
} from '../pages/connected-apps-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { pageAddress, pagePath } from '../pages/paths.ts';
import { parameterOf } from '../parameters.ts';
import type { SignedInMember } from '../ports.ts';
import { isAccessCursor, memberStopped, type RecordedRead } from './member-grants.ts';
import { memberSessionId, secretCookie, secretOf, sessionFormToken } from './member-session.ts';
import { endSharing, type SharedApplication, sharedApplications } from './shared-applications.ts';

interface Session {
  readonly secret: string;
  readonly member: SignedInMember;
}

/** The apps a member shares with, or what one of them read; a sign-in before, where there is no session. */
export async function showConnectedApps(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const session = await sessionOf(server, request);
  if (session === undefined) return await beginVisit(server, request);
  const clientId = parameterOf(request.query, 'app');
  return clientId === undefined
    ? await list(server, request, session)
    : await history(server, request, session, clientId);
}

/** Stops an app, or signs out. */
export async function submitConnectedApps(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const { form, language } = request;
  if (!isSameOrigin(server.origins.auth, request.origin, request.fetchSite))
    return messagePage(403, 'form_foreign', language);
  const session = await sessionOf(server, request);
  if (session === undefined) return messagePage(400, 'session_over', language);
  const token = parameterOf(form, 'form_token') ?? '';
  if (!server.digests.equal(token, sessionFormToken(session.secret, server.digests)))
    return messagePage(403, 'form_foreign', language);
  const answer = parameterOf(form, 'answer');
  const clientId = parameterOf(form, 'app');
  if (answer === 'sign-out') {
    return await signOut(server, request, session);
  }
  if (answer !== 'stop' || clientId === undefined) return messagePage(400, 'answer_missing', language);
  return await stop(server, request, session.member, clientId);
}

/** Of everything: a sign-in this browser keeps for applications ends too, and first. */
async function signOut(
  server: AuthorizationServer,
  request: BrowserRequest,
  { secret }: Session,
): Promise<BrowserResponse> {
  const { lob } = request;
  const cleared = await endSsoSession(server, request, 'signed_out', connectedAppsClientId);
  await server.signIns.endSession(lob, memberSessionId(secret, server.digests));
  const location = `${server.origins.auth}${pagePath(lob, 'connected-apps')}`;
  return { location, setCookies: [secretCookie('session', lob, '', 0), ...cleared] };
}

/** Its next call finds no grant. */
async function stop(
  server: AuthorizationServer,
  { lob, context }: BrowserRequest,
  { sub, patientId }: SignedInMember,
  clientId: string,
): Promise<BrowserResponse> {
  const decided = { action: 'grant.revoke', actor: sub, reason: memberStopped } as const;
  await endSharing(server, { context: { ...context, lob }, patientId, clientId, decided });
  return { location: `${server.origins.auth}${pageAddress(lob, 'connected-apps', { stopped: clientId })}` };
}

async function sessionOf(
  { signIns, digests, now }: AuthorizationServer,
  { cookies, lob }: BrowserRequest,
): Promise<Session | undefined> {
  const secret = secretOf(cookies, 'session', lob);
  if (secret === undefined) return undefined;
  const session = await signIns.session(lob, memberSessionId(secret, digests));
  return session !== undefined && session.expiresAt > now() / 1000
    ? { secret, member: session.member }
    : undefined;
}

/** The same sign-in page as for an application, with nothing asked for. */
async function beginVisit(server: AuthorizationServer, request: BrowserRequest): Promise<BrowserResponse> {
  const binding = createBinding(server.random);
  const interaction = {
    interactionId: interactionIdOf(binding, server.digests),
    state: 'signing-in',
    language: request.language,
    expiresAt: Math.floor(server.now() / 1000) + server.interactionSeconds,
  } as const;
  await server.store.begin(request.lob, interaction);
  const answer = signInResponse(server, { binding, interaction, client: undefined, request });
  return { ...answer, setCookies: [bindingCookie(binding, server.interactionSeconds)] };
}

async function list(
  server: AuthorizationServer,
  request: BrowserRequest,
  { member, secret }: Session,
): Promise<BrowserResponse> {
  const { lob, language } = request;
  const shared = await sharedApplications(server, lob, member.patientId);
  const stopped = parameterOf(request.query, 'stopped');
  const html = connectedAppsPage({
    ...{ language, lob, memberName: member.displayName },
    formToken: sessionFormToken(secret, server.digests),
    apps: shared.map((app) => view(app, memberIssuer(server.origins, lob))),
    stopped: stopped === undefined ? undefined : await stoppedName(server, request, member, shared, stopped),
  });
  return { status: 200, html };
}

/** The name of an app this member stopped and shares nothing with since: the address may come from anywhere. */
async function stoppedName(
  server: AuthorizationServer,
  { lob }: BrowserRequest,
  { patientId }: SignedInMember,
  shared: readonly SharedApplication[],
  clientId: string,
): Promise<string | undefined> {
  if (shared.some((each) => each.clientId === clientId)) return undefined;
  return (await server.grants.hasStopped(lob, patientId, clientId))
    ? await nameOf(server, clientId)
    : undefined;
}

function view({ client, scopes, ...shared }: SharedApplication, issuer: string): ConnectedAppView {
  const application = client === undefined ? undefined : applicationOf(client);
  return {
    ...shared,
    name: application?.name,
    host: application?.host,
    openAt: client?.state === 'active' ? thirdPartyLogin(client.initiateLoginUri, issuer) : undefined,
    groups: requestedGroups(scopes.join(' '), client?.products ?? []),
  };
}

/** A link that has the application begin a sign-in here (OpenID Connect Core section 4). */
function thirdPartyLogin(initiateLoginUri: string | undefined, issuer: string): string | undefined {
  if (initiateLoginUri === undefined) return undefined;
  return `${initiateLoginUri}${initiateLoginUri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer })}`;
}

async function history(
  server: AuthorizationServer,
  request: BrowserRequest,
  { member, secret }: Session,
  clientId: string,
): Promise<BrowserResponse> {
  const { lob, language, query } = request;
  const cursor = parameterOf(query, 'after');
  const after = cursor !== undefined && isAccessCursor(cursor) ? cursor : undefined;
  const { accesses, next } = await server.grants.accesses(lob, member.patientId, clientId, after);
  const html = historyPage({
    ...{ language, lob, memberName: member.displayName },
    formToken: sessionFormToken(secret, server.digests),
    app: { clientId, name: await nameOf(server, clientId) },
    accesses: accesses.map((access) => ({ time: access.time, got: gotBy(access) })),
    next,
  });
  return { status: 200, html };
}

/**
 * What an access was of, by data group: of a search, how many records of each; of a read, and of a search that sent none, the one
 * that was asked for.
 */
function gotBy({ resourceType, found }: RecordedRead): readonly GotView[] {
  if (found === undefined) return [{ group: groupOf(resourceType), resourceType }];
  if (found.size === 0) return [{ group: groupOf(resourceType), resourceType, records: 0 }];
  const got = new Map<string, Required<GotView>>();
  for (const [type, count] of found) {
    const group = groupOf(type);
    const key = group?.id ?? type;
    got.set(key, { group, resourceType: type, records: (got.get(key)?.records ?? 0) + count });
  }
  return [...got.values()];
}

function groupOf(resourceType: string): DataGroup | undefined {
  return dataGroups.find((group) => group.resourceTypes.includes(resourceType));
}

/** A client id is at most this long; a longer one is not worth a read. */
const longestClientId = 64;

async function nameOf(server: AuthorizationServer, clientId: string): Promise<string | undefined> {
  if (clientId.length > longestClientId) return undefined;
  const client = await server.clients.find(clientId);
  return client === undefined ? undefined : applicationOf(client).name;
}
