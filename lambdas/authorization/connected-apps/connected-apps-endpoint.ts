/**
 * Handles the connected-apps pages: applications and plans that a member shares with, plans that are asked for the member's data, and what
 * was given and received.
 */

import { type EnvironmentOrigins, memberIssuer } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { isFederatedSubject } from '../../catalog/oauth/identity-providers.ts';
import type { AuthorizationStore } from '../authorize/authorization-store-port.ts';
import { createBinding, interactionIdOf, isSameOrigin } from '../authorize/browser-binding.ts';
import type { BrowserRequest, BrowserResponse } from '../authorize/browser-request.ts';
import { type EndSsoSessionServices, endSsoSession } from '../authorize/browser-sso-session.ts';
import { connectedAppsClientId } from '../authorize/complete-authentication.ts';
import {
  connectedAppsFormToken,
  connectedAppsSessionId,
  secretCookie,
} from '../authorize/connected-apps-session.ts';
import { sharedGroups } from '../authorize/consent-decision.ts';
import { type MemberGrants, memberStopped } from '../authorize/member-grants-port.ts';
import { continueToProviderLogout } from '../authorize/provider-logout.ts';
import { beginningCookie, type FirstPageServices, firstPageResponse } from '../authorize/sign-in-response.ts';
import type { SignInStore } from '../authorize/sign-in-store-port.ts';
import { aboutPatient } from '../oauth/audit-decision.ts';
import type { ClientReader } from '../oauth/client-ports.ts';
import {
  type AccessiblePatient,
  actingFor,
  type FindActiveAccount,
  type SignedInMember,
} from '../oauth/member-account.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { pageAddress, pagePath } from '../oauth/paths.ts';
import { applicationOf } from '../pages/application.ts';
import { type ConnectedAppView, connectedAppsPage, stopSharingPage } from '../pages/connected-apps-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { longestClientId, showHistory } from './access-history.ts';
import { endSharing } from './end-sharing.ts';
import { holderName, type OpenSession, patientNamed, sessionOf } from './open-session.ts';
import type { OtherPlansServices } from './other-plans.ts';
import {
  askBeforePlanStop,
  representedPatient,
  showPlanForm,
  submitPlan,
  submitPlanStop,
} from './other-plans-endpoint.ts';
import { type SharedApplication, sharedApplications } from './shared-applications.ts';

export type ConnectedAppsServices = EndSsoSessionServices &
  FirstPageServices &
  OtherPlansServices & {
    readonly origins: EnvironmentOrigins;
    readonly clients: ClientReader;
    readonly grants: MemberGrants;
    readonly store: Pick<AuthorizationStore, 'begin'>;
    readonly signIns: Pick<SignInStore, 'session' | 'endSession'>;
    readonly findActiveAccount: FindActiveAccount;
    readonly interactionSeconds: number;
  };

/** Shows the applications that a member shares with, or the accesses of one of them; begins a sign-in if there is no session. */
export async function showConnectedApps(
  services: ConnectedAppsServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const session = await sessionOf(services, request);
  if (session === undefined) return await beginVisit(services, request);
  const stopping = parameterOf(request.query, 'stop');
  if (stopping !== undefined) return await askBeforeStop(services, request, session, stopping);
  const plan = parameterOf(request.query, 'plan');
  if (plan !== undefined) return await showPlanForm(services, request, session, plan);
  const ending = parameterOf(request.query, 'end');
  if (ending !== undefined) return await askBeforePlanStop(services, request, session, ending);
  const clientId = parameterOf(request.query, 'app');
  return clientId === undefined && parameterOf(request.query, 'history') === undefined
    ? await list(services, request, session)
    : await showHistory(services, request, session, clientId);
}

/** Handles the forms of the connected apps: stops sharing with an application, stores a choice about another plan, or signs out. */
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
  if (!services.digests.equal(token, connectedAppsFormToken(session.secret, services.digests)))
    return messagePage(403, 'form_foreign', language);
  const answer = parameterOf(form, 'answer');
  const clientId = parameterOf(form, 'app');
  if (answer === 'sign-out') {
    return await signOut(services, request, session);
  }
  if (answer === 'save-plan') return await submitPlan(services, request, session);
  if (answer === 'stop-plan') return await submitPlanStop(services, request, session);
  if (answer !== 'stop' || clientId === undefined) return messagePage(400, 'answer_missing', language);
  const patient = patientNamed(session, parameterOf(form, 'patient'));
  if (patient === undefined) return messagePage(400, 'answer_missing', language);
  return await stop(services, request, actingFor(session, patient), clientId);
}

/** Signs out: ends the browser's SSO session first, then the session of the connected apps. */
async function signOut(
  services: ConnectedAppsServices,
  request: BrowserRequest,
  { secret, sub }: OpenSession,
): Promise<BrowserResponse> {
  const { lob } = request;
  const cleared = await endSsoSession(services, request, 'signed_out', connectedAppsClientId);
  await services.signIns.endSession(lob, connectedAppsSessionId(secret, services.digests));
  const setCookies = [secretCookie('session', lob, '', 0), ...cleared];
  const provider = services.providerOf(lob);
  if (provider !== undefined && isFederatedSubject(sub))
    return continueToProviderLogout(provider, request, {}, setCookies);
  return {
    kind: 'redirect',
    location: `${services.origins.auth}${pagePath(lob, 'connected-apps')}`,
    setCookies,
  };
}

/** Asks before sharing ends. An application that is not shared with any more, as after the back button, leads to the list. */
async function askBeforeStop(
  services: ConnectedAppsServices,
  request: BrowserRequest,
  session: OpenSession,
  clientId: string,
): Promise<BrowserResponse> {
  const { lob, language, query } = request;
  const patient = patientNamed(session, parameterOf(query, 'patient'));
  const shared = patient === undefined ? [] : await sharedOf(services, lob, session, patient);
  const app = shared.find((each) => each.clientId === clientId);
  if (patient === undefined || app === undefined)
    return { kind: 'redirect', location: `${services.origins.auth}${pagePath(lob, 'connected-apps')}` };
  const html = stopSharingPage({
    language,
    lob,
    memberName: holderName(session),
    formToken: connectedAppsFormToken(session.secret, services.digests),
    app: {
      ...view(app, memberIssuer(services.origins, lob)),
      patient: representedPatient(request, session, patient),
    },
  });
  return { kind: 'page', status: 200, html };
}

/** Ends the grants of an application, whose next call is refused. */
async function stop(
  services: ConnectedAppsServices,
  { lob, context }: BrowserRequest,
  member: SignedInMember,
  clientId: string,
): Promise<BrowserResponse> {
  const { patientId, ...who } = aboutPatient(member);
  const decided = { action: 'grant.revoke', actor: member.sub, reason: memberStopped, ...who } as const;
  // A representative ends only their own consents; a member ends every consent about their own data.
  const sub = member.representative === undefined ? undefined : member.sub;
  await endSharing(services, {
    context: { ...context, lob },
    patientId: member.patientId,
    clientId,
    sub,
    decided,
  });
  const about = { stopped: clientId, ...(sub !== undefined && { patient: patientId }) };
  const location = `${services.origins.auth}${pageAddress(lob, 'connected-apps', about)}`;
  return { kind: 'redirect', location };
}

/** Begins a sign-in to the connected apps, which has no authorization request. */
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
  session: OpenSession,
): Promise<BrowserResponse> {
  const { lob, language } = request;
  const lists = await Promise.all(
    session.patients.map(async (patient) => ({
      patient,
      shared: await sharedOf(services, lob, session, patient),
      exchanges: await services.exchangesOf(lob).ofPatient(patient.patientId),
    })),
  );
  const stopped = parameterOf(request.query, 'stopped');
  const about = patientNamed(session, parameterOf(request.query, 'patient'));
  const saved = parameterOf(request.query, 'saved');
  const of = lists.find(({ patient }) => patient.patientId === about?.patientId);
  const html = connectedAppsPage({
    language,
    lob,
    memberName: holderName(session),
    formToken: connectedAppsFormToken(session.secret, services.digests),
    apps: lists.flatMap(({ patient, shared }) =>
      shared.map((app) => ({
        ...view(app, memberIssuer(services.origins, lob)),
        patient: representedPatient(request, session, patient),
      })),
    ),
    plans: lists.flatMap(({ patient, exchanges }) =>
      exchanges.map((exchange) => ({ exchange, patient: representedPatient(request, session, patient) })),
    ),
    patients: session.patients.map((patient) => representedPatient(request, session, patient)),
    saved: of?.exchanges.find(({ exchangeId }) => exchangeId === saved),
    stopped:
      stopped === undefined || of === undefined
        ? undefined
        : await stoppedApp(services, request, of.patient, of.shared, stopped),
  });
  return { kind: 'page', status: 200, html };
}

/** The applications that a patient's data is shared with. A representative sees only their own consents. */
async function sharedOf(
  services: ConnectedAppsServices,
  lob: LineOfBusiness,
  { sub }: OpenSession,
  { patientId, representative }: AccessiblePatient,
): Promise<readonly SharedApplication[]> {
  return await sharedApplications(services, lob, patientId, representative === undefined ? undefined : sub);
}

/**
 * The application that this member stopped, for the confirmation on the page. The client ID comes from the address, so the grants are
 * checked.
 */
async function stoppedApp(
  services: ConnectedAppsServices,
  { lob }: BrowserRequest,
  { patientId }: AccessiblePatient,
  shared: readonly SharedApplication[],
  clientId: string,
): Promise<Pick<ConnectedAppView, 'name' | 'openAt'> | undefined> {
  if (clientId.length > longestClientId || shared.some((each) => each.clientId === clientId))
    return undefined;
  if (!(await services.grants.hasStopped(lob, patientId, clientId))) return undefined;
  const client = await services.clients.find(clientId);
  return {
    name: client && applicationOf(client).name,
    openAt: openAtOf(client, memberIssuer(services.origins, lob)),
  };
}

function view({ client, scopes, ...shared }: SharedApplication, issuer: string): ConnectedAppView {
  const application = client === undefined ? undefined : applicationOf(client);
  return {
    ...shared,
    name: application?.name,
    host: application?.host,
    openAt: openAtOf(client, issuer),
    groups: sharedGroups(scopes.join(' '), client?.products ?? []),
  };
}

/** The link of an application that can be used. */
function openAtOf(client: OAuthClient | undefined, issuer: string): string | undefined {
  return client?.state === 'active' ? thirdPartyLogin(client.initiateLoginUri, issuer) : undefined;
}

/** Link to the application's page that begins a sign-in at this issuer (OpenID Connect Core section 4). */
function thirdPartyLogin(initiateLoginUri: string | undefined, issuer: string): string | undefined {
  if (initiateLoginUri === undefined) return undefined;
  return `${initiateLoginUri}${initiateLoginUri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer })}`;
}
