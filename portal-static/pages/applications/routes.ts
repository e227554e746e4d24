import type { PageRoute } from '../../app/page-routes.ts';

export const applicationsRoutes: readonly PageRoute[] = [];
