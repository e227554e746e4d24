/** Routes of the sandbox pages (test members, the guided first call), with the visitors who may see each. */

import type { PageRoute } from '../../app/page-route.ts';

export const sandboxRoutes: readonly PageRoute[] = [
  { path: '/sandbox', access: 'developer', load: () => import('./sandbox-page.tsx') },
  { path: '/applications/:applicationId/try', access: 'developer', load: () => import('./try-page.tsx') },
  { path: '/try', access: 'public', load: () => import('./try-operation-page.tsx') },
  { path: '/try/callback', access: 'developer', load: () => import('./callback-page.tsx') },
];
