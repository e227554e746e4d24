/** Handles the connected-apps pages, where a member sees applications, their accesses, and stops sharing. */

import { type EnvironmentOrigins, memberIssuer } from '../../catalog/addresses.ts';
import { type DataGroup, dataGroups } from '../../catalog/data-groups.ts';
import { isFederatedSubject } from '../../catalog/identity-providers.ts';
import type { AuthorizationStore } from '../authorize/authorization-store-port.ts';
import { createBinding, interactionIdOf, isSameOrigin } from '../authorize/browser-binding.ts';
import type { BrowserRequest, BrowserResponse } from '../authorize/browser-request.ts';
import { type EndSsoSessionServices, endSsoSession } from '../authorize/browser-sso-session.ts';
import { connectedAppsClientId } from '../authorize/complete-authentication.ts';
import { requestedGroups } from '../authorize/consent-decision.ts';
import { redirectToProviderLogout } from '../authorize/provider-logout.ts';
import { beginningCookie, type FirstPageServices, firstPageResponse } from '../authorize/sign-in-response.ts';
import type { SignInStore } from '../authorize/sign-in-store-port.ts';
import type { ClientReader } from '../client-ports.ts';
import type { SignedInMember } from '../member-account.ts';
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
import { endSharing } from './end-sharing.ts';
import { isAccessCursor, type MemberGrants, memberStopped, type RecordedRead } from './member-grants-port.ts';
import { memberSessionId, secretCookie, secretOf, sessionFormToken } from './member-session.ts';
import { type SharedApplication, sharedApplications } from './shared-applications.ts';

/** Services of the connected apps. */
export type ConnectedAppsServices = EndSsoSessionServices &
  FirstPageServices & {
    readonly origins: EnvironmentOrigins;
    readonly clients: ClientReader;
    readonly grants: MemberGrants;
    readonly store: Pick<AuthorizationStore, 'begin'>;
    readonly signIns: Pick<SignInStore, 'session' | 'endSession'>;
    readonly interactionSeconds: number;
  };

interface Session {
  readonly secret: string;
  readonly member: SignedInMember;
}

/** Shows the apps a member shares with, or the accesses of one of them; begins a sign-in where there is no session. */
export async function showConnectedApps(
  services: ConnectedAppsServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const session = await sessionOf(services, request);
  if (session === undefined) return await beginVisit(services, request);
  const clientId = parameterOf(request.query, 'app');
  return clientId === undefined
    ? await list(services, request, session)
    : await history(services, request, session, clientId);
}

/** Handles the forms of the connected apps: stops an app, or signs out. */
export async function submitConnectedApps(
  services: ConnectedAppsServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const { form, language } = request;
  if (!isSameOrigin(services.origins.auth, request.origin, request.fetchSite))
    return messagePage(403, 'form_foreign', language);
  const session = await sessionOf(services, request);
  if (session === undefined) return messagePage(400, 'session_over', language);
  const token = parameterOf(form, 'form_token') ?? '';
  if (!services.digests.equal(token, sessionFormToken(session.secret, services.digests)))
    return messagePage(403, 'form_foreign', language);
  const answer = parameterOf(form, 'answer');
  const clientId = parameterOf(form, 'app');
  if (answer === 'sign-out') {
    return await signOut(services, request, session);
  }
  if (answer !== 'stop' || clientId === undefined) return messagePage(400, 'answer_missing', language);
  return await stop(services, request, session.member, clientId);
}

/** Signs out of the connected apps and of the browser's SSO session, which ends first. */
async function signOut(
  services: ConnectedAppsServices,
  request: BrowserRequest,
  { secret, member }: Session,
): Promise<BrowserResponse> {
  const { lob } = request;
  const cleared = await endSsoSession(services, request, 'signed_out', connectedAppsClientId);
  await services.signIns.endSession(lob, memberSessionId(secret, services.digests));
  const setCookies = [secretCookie('session', lob, '', 0), ...cleared];
  if (services.providerOf(lob) !== undefined && isFederatedSubject(member.sub))
    return redirectToProviderLogout(services, request, {}, setCookies);
  return {
    kind: 'redirect',
    location: `${services.origins.auth}${pagePath(lob, 'connected-apps')}`,
    setCookies,
  };
}

/** Ends the grants of an app: its next call is refused. */
async function stop(
  services: ConnectedAppsServices,
  { lob, context }: BrowserRequest,
  { sub, patientId }: SignedInMember,
  clientId: string,
): Promise<BrowserResponse> {
  const decided = { action: 'grant.revoke', actor: sub, reason: memberStopped } as const;
  await endSharing(services, { context: { ...context, lob }, patientId, clientId, decided });
  const location = `${services.origins.auth}${pageAddress(lob, 'connected-apps', { stopped: clientId })}`;
  return { kind: 'redirect', location };
}

async function sessionOf(
  { signIns, digests, now }: Pick<ConnectedAppsServices, 'signIns' | 'digests' | 'now'>,
  { cookies, lob }: BrowserRequest,
): Promise<Session | undefined> {
  const secret = secretOf(cookies, 'session', lob);
  if (secret === undefined) return undefined;
  const session = await signIns.session(lob, memberSessionId(secret, digests));
  return session !== undefined && session.expiresAt > now() / 1000
    ? { secret, member: session.member }
    : undefined;
}

/** Begins a sign-in without an authorization request. */
async function beginVisit(
  services: ConnectedAppsServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const binding = createBinding(services.random);
  const interaction = {
    interactionId: interactionIdOf(binding, services.digests),
    state: 'signing-in',
    language: request.language,
    expiresAt: Math.floor(services.now() / 1000) + services.interactionSeconds,
  } as const;
  await services.store.begin(request.lob, interaction);
  const answer = firstPageResponse(services, { binding, interaction, client: undefined, request });
  const cookie = beginningCookie(services, request.lob, binding, services.interactionSeconds);
  return { ...answer, setCookies: [cookie] };
}

async function list(
  services: ConnectedAppsServices,
  request: BrowserRequest,
  { member, secret }: Session,
): Promise<BrowserResponse> {
  const { lob, language } = request;
  const shared = await sharedApplications(services, lob, member.patientId);
  const stopped = parameterOf(request.query, 'stopped');
  const html = connectedAppsPage({
    ...{ language, lob, memberName: member.displayName },
    formToken: sessionFormToken(secret, services.digests),
    apps: shared.map((app) => view(app, memberIssuer(services.origins, lob))),
    stopped:
      stopped === undefined ? undefined : await stoppedName(services, request, member, shared, stopped),
  });
  return { kind: 'page', status: 200, html };
}

/** Names an app this member stopped and shares nothing with since. The address may come from anywhere, so it is looked up. */
async function stoppedName(
  services: ConnectedAppsServices,
  { lob }: BrowserRequest,
  { patientId }: SignedInMember,
  shared: readonly SharedApplication[],
  clientId: string,
): Promise<string | undefined> {
  if (shared.some((each) => each.clientId === clientId)) return undefined;
  return (await services.grants.hasStopped(lob, patientId, clientId))
    ? await nameOf(services, clientId)
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

/** Link that makes the application begin a sign-in here (OpenID Connect Core section 4). */
function thirdPartyLogin(initiateLoginUri: string | undefined, issuer: string): string | undefined {
  if (initiateLoginUri === undefined) return undefined;
  return `${initiateLoginUri}${initiateLoginUri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer })}`;
}

async function history(
  services: ConnectedAppsServices,
  request: BrowserRequest,
  { member, secret }: Session,
  clientId: string,
): Promise<BrowserResponse> {
  const { lob, language, query } = request;
  const cursor = parameterOf(query, 'after');
  const after = cursor !== undefined && isAccessCursor(cursor) ? cursor : undefined;
  const { accesses, next } = await services.grants.accesses(lob, member.patientId, clientId, after);
  const html = historyPage({
    ...{ language, lob, memberName: member.displayName },
    formToken: sessionFormToken(secret, services.digests),
    app: { clientId, name: await nameOf(services, clientId) },
    accesses: accesses.map((access) => ({ time: access.time, got: groupAccess(access) })),
    next,
  });
  return { kind: 'page', status: 200, html };
}

/**
 * Groups an access by data group: a search has the number of records of each; a read, and a search that sent none, the requested
 * type.
 */
function groupAccess({ resourceType, found }: RecordedRead): readonly GotView[] {
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

/** Maximum length of a client id; a longer one is not looked up. */
const longestClientId = 64;

async function nameOf(
  services: Pick<ConnectedAppsServices, 'clients'>,
  clientId: string,
): Promise<string | undefined> {
  if (clientId.length > longestClientId) return undefined;
  const client = await services.clients.find(clientId);
  return client === undefined ? undefined : applicationOf(client).name;
}
