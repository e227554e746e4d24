import { accountPages } from '../pages/account/routes.ts';
import { applicationsRoutes } from '../pages/applications/routes.ts';
import { operationsPages } from '../pages/operations/routes.ts';
import { referenceRoutes } from '../pages/reference/routes.ts';
import type { PageRoute } from './page-routes.ts';

/** Every view of the application page. */
export const routes: readonly PageRoute[] = [
  ...accountPages,
  ...applicationsRoutes,
  ...operationsPages,
  ...referenceRoutes,
];
