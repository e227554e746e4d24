import type { PageRoute } from '../../app/page-routes.ts';

export const operationsRoutes: readonly PageRoute[] = [];
