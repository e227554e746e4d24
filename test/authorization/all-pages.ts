import type { HandlePage } from '../../lambdas/authorization/authorize/page-routes.ts';
import type { ConnectedAppsServices } from '../../lambdas/authorization/connected-apps/connected-apps-endpoint.ts';
import { handleConnectedAppsPage } from '../../lambdas/authorization/connected-apps/connected-apps-pages.ts';
import { handlePage, type MemberPagesServices } from '../../lambdas/authorization/member-pages.ts';

/** Services of every page of the member's, whichever function serves it. */
export type AllPagesServices = MemberPagesServices & ConnectedAppsServices;

/** The handler of a page, as the gateway's routes find it. */
export function pageHandler(page: string): HandlePage<AllPagesServices> {
  return page === 'connected-apps' ? handleConnectedAppsPage : handlePage;
}
