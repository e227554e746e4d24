import type { PageRoute } from '../../app/page-routes.ts';

export const accountRoutes: readonly PageRoute[] = [
  { path: '/sign-in', access: 'public', load: () => import('./sign-in.tsx') },
];
