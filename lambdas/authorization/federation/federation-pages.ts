/** Dispatches the pages of the federated sign-in. */

import type { FederationPage } from '../../catalog/oauth/identity-providers.ts';
import { compileRoutes, type RouteRow } from '../../platform/kernel/find-route.ts';
import type { BrowserRequest, BrowserResponse } from '../authorize/browser-request.ts';
import { messagePage } from '../pages/message-page.ts';
import { languageChosen, languageCookie } from '../pages/words/language.ts';
import {
  completeFederatedSignIn,
  type FederatedSignInServices,
  startFederatedSignIn,
} from './federated-sign-in.ts';
import { showProviderProblem } from './problem-page.ts';
import {
  completeProviderSignOut,
  type ProviderSignOutServices,
  startProviderSignOut,
} from './provider-sign-out.ts';

export type FederationServices = FederatedSignInServices & ProviderSignOutServices;

interface FederationRoute extends RouteRow {
  readonly method: 'GET';
  readonly path: FederationPage;
  readonly handle: (services: FederationServices, request: BrowserRequest) => Promise<BrowserResponse>;
}

const routes: readonly FederationRoute[] = [
  { method: 'GET', path: 'start', handle: startFederatedSignIn },
  { method: 'GET', path: 'callback', handle: completeFederatedSignIn },
  { method: 'GET', path: 'problem', handle: showProviderProblem },
  { method: 'GET', path: 'sign-out', handle: startProviderSignOut },
  { method: 'GET', path: 'signed-out', handle: completeProviderSignOut },
];

const findRoute = compileRoutes(routes);

/** Handles a request to a page of the federated sign-in. @param page path after the LOB. */
export async function handleFederationPage(
  services: FederationServices,
  method: string,
  page: string,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const result = findRoute(method, page);
  if (result.kind === 'not_found') return messagePage(404, 'page_unknown', request.language);
  if (result.kind === 'method_not_allowed') {
    return { ...messagePage(405, 'method_not_allowed', request.language), allow: result.allowed.join(', ') };
  }
  const response = await result.route.handle(services, request);
  // Only the problem page has our language switch; the query parameters of the other addresses are the provider's.
  const chosen = page === 'problem' ? languageChosen(request.query) : undefined;
  if (chosen === undefined) return response;
  return { ...response, setCookies: [...(response.setCookies ?? []), languageCookie(chosen)] };
}
