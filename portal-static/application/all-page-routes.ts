import type { PageRoute } from '../app/page-route.ts';
import { accountPages } from '../pages/account/account-page-routes.ts';
import { applicationsRoutes } from '../pages/applications/application-page-routes.ts';
import { operationsPages } from '../pages/operations/operations-page-routes.ts';

/** Every view of the application page. */
export const routes: readonly PageRoute[] = [...accountPages, ...applicationsRoutes, ...operationsPages];
