import { handlePage, type MemberPagesServices } from '../../lambdas/oauth/authorize/member-pages.ts';
import type { HandlePage } from '../../lambdas/oauth/authorize/page-routes.ts';
import type { ConnectedAppsServices } from '../../lambdas/oauth/connected-apps/connected-apps-endpoint.ts';
import { handleConnectedAppsPage } from '../../lambdas/oauth/connected-apps/connected-apps-pages.ts';

/** Services of every page of the member's, whichever function serves it. */
export type AllPagesServices = MemberPagesServices & ConnectedAppsServices;

/** The handler of a page, as the gateway's routes find it. */
export function pageHandler(page: string): HandlePage<AllPagesServices> {
  return page === 'connected-apps' ? handleConnectedAppsPage : handlePage;
}
