import type { HandlePage } from '../../lambdas/authorization/authorize/page-routes.ts';
import type { ConnectedAppsServices } from '../../lambdas/authorization/connected-apps/connected-apps-endpoint.ts';
import { handleConnectedAppsPage } from '../../lambdas/authorization/connected-apps/connected-apps-pages.ts';
import { handlePage, type MemberPagesServices } from '../../lambdas/authorization/member-pages.ts';

/** Services of all pages for members, of both functions that serve them. */
export type AllPagesServices = MemberPagesServices & ConnectedAppsServices;

/** The handler to which the gateway's routes lead for a page. */
export function pageHandler(page: string): HandlePage<AllPagesServices> {
  return page === 'connected-apps' ? handleConnectedAppsPage : handlePage;
}
