import { accountRoutes } from '../pages/account/routes.ts';
import { applicationsRoutes } from '../pages/applications/routes.ts';
import { operationsRoutes } from '../pages/operations/routes.ts';
import { referenceRoutes } from '../pages/reference/routes.ts';
import type { PageRoute } from './page-routes.ts';

/** Every view of the application page. */
export const routes: readonly PageRoute[] = [
  ...accountRoutes,
  ...applicationsRoutes,
  ...operationsRoutes,
  ...referenceRoutes,
];
