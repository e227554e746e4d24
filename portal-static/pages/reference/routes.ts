import type { PageRoute } from '../../app/page-routes.ts';

export const referenceRoutes: readonly PageRoute[] = [
  { path: '/reference', access: 'public', load: () => import('./reference-page.tsx') },
];
