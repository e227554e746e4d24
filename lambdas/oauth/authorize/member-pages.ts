/** Table of the members' pages: finds the endpoint for a method and path. */

import { compileRoutes, type RouteRow } from '../../http/find-route.ts';
import type { ActivationPageServices } from '../activation/activation-page.ts';
import {
  type ConnectedAppsServices,
  showConnectedApps,
  submitConnectedApps,
} from '../connected-apps/connected-apps-endpoint.ts';
import { guidePage } from '../pages/guide-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { type GuidePage, guidePages, type MemberPagePath } from '../pages/paths.ts';
import { languageChosen, languageCookie } from '../pages/words/language.ts';
import { type AuthorizationEndpointServices, handleAuthorizationRequest } from './authorization-endpoint.ts';
import type { BrowserRequest, BrowserResponse } from './browser-request.ts';
import { type ConsentServices, showConsent, submitConsent } from './consent-endpoint.ts';
import { type EndSessionServices, showEndSession, submitEndSession } from './end-session-endpoint.ts';
import {
  type PatientChoiceServices,
  showPatientChoice,
  submitPatientChoice,
} from './patient-choice-endpoint.ts';
import { type SignInServices, showSignIn, submitSignIn } from './sign-in-endpoint.ts';
import { showVerificationCode, submitVerificationCode } from './verification-code-endpoint.ts';

/** Services of all pages together; each page takes its part. */
export type MemberPagesServices = ActivationPageServices &
  AuthorizationEndpointServices &
  SignInServices &
  PatientChoiceServices &
  ConsentServices &
  EndSessionServices &
  ConnectedAppsServices;

interface PageRoute extends RouteRow {
  readonly method: 'GET' | 'POST';
  readonly path: MemberPagePath;
  readonly handle: (services: MemberPagesServices, request: BrowserRequest) => Promise<BrowserResponse>;
}

/** Routes of the member's pages, by the path after the LOB. */
const routes: readonly PageRoute[] = [
  {
    ...{ method: 'GET', path: 'authorize' },
    handle: (services, request) => handleAuthorizationRequest(services, request, request.query),
  },
  {
    ...{ method: 'POST', path: 'authorize' },
    handle: (services, request) => handleAuthorizationRequest(services, request, request.form),
  },
  { method: 'GET', path: 'sign-in', handle: showSignIn },
  { method: 'POST', path: 'sign-in', handle: submitSignIn },
  { method: 'GET', path: 'code', handle: showVerificationCode },
  { method: 'POST', path: 'code', handle: submitVerificationCode },
  { method: 'GET', path: 'patient', handle: showPatientChoice },
  { method: 'POST', path: 'patient', handle: submitPatientChoice },
  { method: 'GET', path: 'activation', handle: activationPage('showActivation') },
  { method: 'POST', path: 'activation', handle: activationPage('submitActivation') },
  { method: 'GET', path: 'activation-code', handle: activationPage('showActivationCode') },
  { method: 'POST', path: 'activation-code', handle: activationPage('submitActivationCode') },
  { method: 'GET', path: 'activation-password', handle: activationPage('showActivationPassword') },
  { method: 'POST', path: 'activation-password', handle: activationPage('submitActivationPassword') },
  { method: 'GET', path: 'consent', handle: showConsent },
  { method: 'POST', path: 'consent', handle: submitConsent },
  { method: 'GET', path: 'logout', handle: showEndSession },
  { method: 'POST', path: 'logout', handle: submitEndSession },
  { method: 'GET', path: 'connected-apps', handle: showConnectedApps },
  { method: 'POST', path: 'connected-apps', handle: submitConnectedApps },
  ...guidePages.map((page): PageRoute => ({ method: 'GET', path: page, handle: showGuide(page) })),
];

const findRoute = compileRoutes(routes);

/** Handles a request to one of the member's pages. @param page path after the LOB. */
export async function handlePage(
  services: MemberPagesServices,
  method: string,
  page: string,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = findRoute(method, page);
  if (result.kind === 'not_found') return messagePage(404, 'page_unknown', request.language);
  if (result.kind === 'method_not_allowed') {
    const allow = result.allowed.join(', ');
    return { ...messagePage(405, 'method_not_allowed', request.language), allow };
  }
  const response = await result.route.handle(services, request);
  // At the authorization endpoint a parameter of that name would be the application's.
  const chosen = page === 'authorize' ? undefined : languageChosen(request.query);
  if (chosen === undefined) return response;
  return { ...response, setCookies: [...(response.setCookies ?? []), languageCookie(chosen)] };
}

/**
 * Pages of the activation. An LOB with an identity provider has none: its members have their accounts there. Few sign-ins begin with an
 * activation, so its modules are loaded with the first.
 */
function activationPage(
  name: keyof typeof import('../activation/activation-endpoint.ts'),
): PageRoute['handle'] {
  return async (services, request) => {
    if (services.providerOf(request.lob) !== undefined)
      return messagePage(404, 'page_unknown', request.language);
    const pages = await import('../activation/activation-endpoint.ts');
    return await pages[name](services, request);
  };
}

function showGuide(page: GuidePage): PageRoute['handle'] {
  return async (_services, { lob, language }) => ({
    kind: 'page',
    status: 200,
    html: guidePage(lob, page, language),
  });
}
