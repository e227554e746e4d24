/** Finds the endpoint of a member's page for a method and path. */

import { compileRoutes, type RouteRow } from '../../platform/kernel/find-route.ts';
import type { MemberPagePath } from '../oauth/paths.ts';
import { messagePage } from '../pages/message-page.ts';
import { languageChosen, languageCookie } from '../pages/words/language.ts';
import type { BrowserRequest, BrowserResponse } from './browser-request.ts';

/** A member's page and its endpoint, by the path after the LOB. */
export interface MemberPageRoute<Services> extends RouteRow {
  readonly method: 'GET' | 'POST';
  readonly path: MemberPagePath;
  readonly handle: (services: Services, request: BrowserRequest) => Promise<BrowserResponse>;
}

/** Handles a request to one of the pages. @param page path after the LOB. */
export type HandlePage<Services> = (
  services: Services,
  method: string,
  page: string,
  request: BrowserRequest,
) => Promise<BrowserResponse>;

/** Makes the function that handles requests to a table of pages. */
export function createPages<Services>(routes: readonly MemberPageRoute<Services>[]): HandlePage<Services> {
  const findRoute = compileRoutes(routes);
  return async (services, method, page, request) => {
    const result = findRoute(method, page);
    if (result.kind === 'not_found') return messagePage(404, 'page_unknown', request.language);
    if (result.kind === 'method_not_allowed') {
      const allow = result.allowed.join(', ');
      return { ...messagePage(405, 'method_not_allowed', request.language), allow };
    }
    const response = await result.route.handle(services, request);
    // `?language=es` is the language switch of our pages. At the authorization endpoint a parameter `language` would be the application's.
    const chosen = page === 'authorize' ? undefined : languageChosen(request.query);
    if (chosen === undefined) return response;
    return { ...response, setCookies: [...(response.setCookies ?? []), languageCookie(chosen)] };
  };
}
